package inspect

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
	"mcsim/sim/statistics/theory"
)

// newArray returns the same numbers as the function array in testdata/samples.py.
func newArray(multiplier int64, rows, d int, mean float64) Vectors {
	v := Vectors{rows, d, make([]float64, rows*d)}
	for i := range v.Data {
		u := float64(int64(i+1)*multiplier%65537)/65536 - 0.5
		v.Data[i] = 2*u - u*u*u + mean
	}
	return v
}

// checkNumbers compares numbers with NumPy's numbers of the same names, to 10⁻⁶ of the number or,
// if the number is smaller than size, to 10⁻⁶ of size.
func checkNumbers(t *testing.T, title string, got, want map[string]float64, size float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got the numbers %v, want those of NumPy, %v", title, got, want)
	}
	for name, x := range got {
		if !(math.Abs(x-want[name]) <= 1e-6*math.Max(math.Abs(want[name]), size)) {
			t.Errorf("%s, %s: got %v, NumPy has %v", title, name, x, want[name])
		}
	}
}

// TestAgainstNumPy compares moments and softmax statistics with testdata/samples.py, which computes
// every score with NumPy 1.24.2, to 10⁻⁶.
func TestAgainstNumPy(t *testing.T) {
	data, err := os.ReadFile("testdata/samples.json")
	simtest.Must(t, err)
	var reference struct {
		Cases []struct {
			Queries, Keys   int
			D               int     `json:"d_k"`
			QueryMean       float64 `json:"q_mean"`
			KeyMean         float64 `json:"k_mean"`
			Crossed, Paired map[string]float64
			Softmax         map[string]map[string]map[string]float64
		}
	}
	simtest.Must(t, json.Unmarshal(data, &reference))
	if len(reference.Cases) < 5 {
		t.Fatalf("testdata/samples.json has %d cases, want 5 at least", len(reference.Cases))
	}
	for _, c := range reference.Cases {
		q, k := newArray(40503, c.Queries, c.D, c.QueryMean), newArray(30011, c.Keys, c.D, c.KeyMean)
		name := fmt.Sprintf("%d × %d of %d", c.Queries, c.Keys, c.D)
		moments := func(m Moments) map[string]float64 {
			return map[string]float64{
				"mean":           m.Mean,
				"variance":       m.Variance,
				"se":             m.scoreTerms.standardError(sampleSize{1, 1}, m.scoreTerms.pairVariance),
				"square":         m.RelativeSquare,
				"query_variance": m.QueryVariance,
				"key_variance":   m.KeyVariance,
				"cosine":         m.MeanCosine,
			}
		}
		d := float64(c.D)
		for mask, levels := range c.Softmax {
			for level, scale := range map[string]float64{"hard": d, "none": 1, "root": 1 / math.Sqrt(d), "d_k": 1 / d} {
				o := Options{Scale: scale, Causal: mask == "causal", Workers: 2}
				p := measure(t, q, k, o)
				checkNumbers(t, name, moments(p.Moments), c.Crossed, 0.1)
				estimates := Summarise([]HeadText{p}, 1, o).Overall
				e := estimates.ByScale[0]
				want := levels[level]
				// The limit is interpolated to 0.1 %, see concentrationLimit.
				if limit := want["effective_keys_limit"]; math.Abs(float64(e.EffectiveKeysLimit)/limit-1) > 1e-3 {
					t.Errorf("%s %s: the limit of effective keys is %v, NumPy has %v", name, mask,
						e.EffectiveKeysLimit, limit)
				}
				if dead := want["dead_share"]; math.Abs(float64(e.DeadProportion)-dead) > 1e-9 {
					t.Errorf("%s %s %s: the proportion of dead rows is %v, NumPy has %v", name, mask, level,
						e.DeadProportion,
						dead)
				}
				delete(want, "effective_keys_limit")
				delete(want, "dead_share")
				if level == "hard" {
					continue // the error of float32 is too large
				}
				checkNumbers(
					t,
					name+" "+mask+" "+level,
					map[string]float64{
						"max_weight_times_keys": float64(e.PeakRatio),
						"entropy_ratio":         float64(e.EntropyRatio.Value),
						"effective_keys":        float64(e.EffectiveKeys.Value),
						"first_key_weight":      float64(e.FirstKeyWeight.Value),
						"row_logit_sd":          float64(e.LogitSD.Value),
						"max_logit":             float64(estimates.MaxLogit.Value),
					},
					want,
					0.1,
				)
			}
		}
		pairs := min(c.Queries, c.Keys)
		q, k = Vectors{pairs, c.D, q.Data[:pairs*c.D]}, Vectors{pairs, c.D, k.Data[:pairs*c.D]}
		checkNumbers(t, name+" paired", moments(measure(t, q, k, Options{Scale: 1, Paired: true}).Moments), c.Paired,
			0.1)
	}
}

// TestExponent checks the alignment exponent p for independent components, where p = 1/2, and for
// vectors of one direction, where p = 1.
func TestExponent(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	aligned := sampleVectors(r, 64, 256, func(*rand.Rand) float64 { return 1 })
	for i := range aligned.Rows {
		x := math.Exp(r.NormFloat64())
		for c := range aligned.Row(i) {
			aligned.Row(i)[c] = x
		}
	}
	for want, queries := range map[float64]Vectors{0.5: sampleVectors(r, 64, 256, normal), 1: aligned} {
		// Components of keys are normal for p = 1/2, and 1 for p = 1.
		keys := sampleVectors(r, 64, 256,
			func(r *rand.Rand) float64 { return 1 + (1-2*(want-0.5))*(r.NormFloat64()-1) })
		e := Summarise([]HeadText{measure(t, queries, keys, Options{Scale: 1, Workers: 1})}, 1,
			Options{Scale: 1}).Overall.Exponent
		p, se := float64(e.Value), float64(e.SE)
		if math.Abs(p-want) > 4*se+1e-3 {
			t.Errorf("the exponent is %v ± %v, want %v", p, se, want)
		}
		if se > 0.01 {
			t.Errorf("the standard error of the exponent %v is %v, want 0.01 at most", want, se)
		}
	}
}

// TestWorkers checks that results do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	q, k := newArray(40503, 700, 24, 0.1), newArray(30011, 300, 24, 0)
	want, got := measure(t, q, k, Options{Scale: 0.2, Workers: 1}), measure(t, q, k, Options{Scale: 0.2, Workers: 3})
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("three workers give %+v, want the result of one worker, %+v", got.Moments, want.Moments)
	}
}

// newSummary measures independent heads of one text. The components of keys have the standard
// deviation sd, those of queries 1.
func newSummary(t *testing.T, r *rand.Rand, heads, rows, d int, sd float64) Summary {
	t.Helper()
	var parts []HeadText
	o := Options{Scale: 1 / math.Sqrt(float64(d)), Workers: 2}
	for range heads {
		k := sampleVectors(r, rows, d, normal)
		for i := range k.Data {
			k.Data[i] *= sd
		}
		parts = append(parts, measure(t, sampleVectors(r, rows, d, normal), k, o))
	}
	return Summarise(parts, heads, o)
}

// TestRates checks error rates. With enough rows, a correct head passes with probability 1 − α at
// least. A head on an edge passes with probability β at most and fails with α at most. With fewer
// rows the gate is undecided more often, but not wrong more often.
func TestRates(t *testing.T) {
	const alpha, beta, tolerance = 0.05, 0.05, 0.3
	draws := 2000
	if testing.Short() {
		draws = 400
	}
	for _, c := range []struct {
		rows                      int
		variance                  float64
		maxPass, maxFail, minPass float64
	}{
		{64, 1, 1, alpha, 1 - alpha}, {16, 1, 1, alpha, 0},
		{64, 1 + tolerance, beta, alpha, 0}, {64, 1 - tolerance, beta, alpha, 0}, {16, 1 + tolerance, beta, alpha, 0},
		{64, 2, beta, 1, 0},
	} {
		r, count := rand.New(rand.NewPCG(3, 4)), map[result.Verdict]float64{}
		for range draws {
			s := newSummary(t, r, 1, c.rows, 16, math.Sqrt(c.variance))
			j := s.Judge(Gate{Tolerance: tolerance, Alpha: alpha, Beta: beta}, nil)
			count[j.Verdict] += 1 / float64(draws)
		}
		margin := 3 * math.Sqrt(alpha*(1-alpha)/float64(draws))
		if count[result.Pass] > c.maxPass+margin || count[result.Pass] < c.minPass-margin {
			t.Errorf("%d rows, variance %v: pass with frequency %.3f, want %v to %v", c.rows, c.variance,
				count[result.Pass], c.minPass, c.maxPass)
		}
		if count[result.Fail] > c.maxFail+margin {
			t.Errorf("%d rows, variance %v: fail with frequency %.3f, want %v at most", c.rows, c.variance,
				count[result.Fail], c.maxFail)
		}
	}
}

// TestDiagnosis checks that the diagnosis names the scale if all vectors have the same length, and
// that it calls constant vectors constant.
func TestDiagnosis(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	normalise := func(v Vectors) Vectors {
		for i := range v.Rows {
			length := math.Sqrt(elementary.SumOfSquares(v.Row(i)))
			for c := range v.Row(i) {
				v.Row(i)[c] /= length
			}
		}
		return v
	}
	same := Vectors{64, 32, slices.Repeat([]float64{0.1}, 64*32)}
	for _, c := range []struct {
		q, k   Vectors
		length float64
		want   string
	}{
		{normalise(sampleVectors(r, 64, 32, normal)), normalise(sampleVectors(r, 64, 32, normal)), 1,
			"the scale: queries and keys of length 1 give"},
		{same, same, 0, "constant"},
		{Vectors{64, 32, make([]float64, 64*32)}, sampleVectors(r, 64, 32, normal), 0, "constant"},
	} {
		o := Options{Scale: 10, Length: c.length, Workers: 1}
		if got := Summarise([]HeadText{measure(t, c.q, c.k, o)}, 1, o).diagnose(); !strings.Contains(got, c.want) {
			t.Errorf("the diagnosis is %q, want it to contain %q", got, c.want)
		}
	}
}

// TestOnePercent checks a gate of 1 % on the mean over heads. With many heads and rows it passes if
// keys have the standard deviation 1, and fails if they have 1.01, although single heads are
// undecided. With few heads and rows it is undecided and says how much more data is needed.
func TestOnePercent(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 30 million products")
	}
	r := rand.New(rand.NewPCG(5, 6))
	gate := Gate{Tolerance: 0.01, Alpha: 1e-3, Beta: 1e-3}
	for sd, want := range map[float64]result.Verdict{1: result.Pass, 1.01: result.Fail} {
		few := newSummary(t, r, 16, 256, 64, sd).Judge(gate, nil)
		if few.Verdict != result.Undecided || !(few.Gates[0].TimesNeeded > 1) {
			t.Errorf("few keys of standard deviation %v: got %s, %v times as many needed, want undecided, more than once",
				sd, few.Verdict, few.Gates[0].TimesNeeded)
		}
		many := newSummary(t, r, 128, 512, 64, sd).Judge(gate, nil)
		if mean := many.Gates[0]; mean.Verdict != want {
			t.Errorf("many keys of standard deviation %v: the mean over heads gets %s, want %s", sd, mean.Verdict, want)
		}
		if many.Verdict == result.Pass {
			t.Errorf("many keys of standard deviation %v: every head passes, want single heads undecided", sd)
		}
		band := newSummary(t, r, 4, 2048, 64, sd).Judge(Gate{Lo: 0.9, Hi: 1.1, Alpha: 1e-3, Beta: 1e-3}, nil)
		if band.Verdict != result.Pass || len(band.Gates) != 4 {
			t.Errorf("keys of standard deviation %v: the band from 0.9 to 1.1 gets %s with %d gates, want pass with 4",
				sd, band.Verdict, len(band.Gates))
		}
	}
}

// TestTexts checks errors if rows depend on each other. The error comes from several texts, or from
// batches of one long text. One short text has no error, so no gate can fail.
func TestTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	wide := Gate{Tolerance: 0.01, Lo: 2, Hi: 3, Alpha: 0.05, Beta: 0.05}
	for _, c := range []struct {
		world
		blocks  int
		verdict result.Verdict
		want    string
	}{
		{world{texts: 12, heads: 2, rows: 48, d: 16, phi: 0.9}, 12, result.Fail, "scatter between 12 texts"},
		{world{texts: 2, heads: 2, rows: 48, d: 16, phi: 0.9}, 2, result.Undecided, "scatter between 2 texts"},
		{world{texts: 1, heads: 12, rows: 256, d: 16, phi: 0.9}, 12, result.Fail,
			"256 rows are worth about 27 independent ones"},
		{world{texts: 1, heads: 12, rows: 48, d: 16, phi: 0.9}, minBatches, result.Undecided,
			"too few for the errors to be known"},
		{world{texts: 1, heads: 12, rows: 48, d: 16}, 0, result.Fail, "Errors take rows for independent"},
	} {
		s := c.sampleWeights(r).sampleSummary(t, r)
		j := s.Judge(wide, nil)
		if s.Blocks != c.blocks || j.Verdict != c.verdict {
			t.Errorf("%+v: got %d blocks and %s, want %d and %s", c.world, s.Blocks, j.Verdict, c.blocks, c.verdict)
		}
		if !strings.Contains(s.Dependence, c.want) {
			t.Errorf("%+v: the dependence is %q, want it to contain %q", c.world, s.Dependence, c.want)
		}
		s.WarnDependence()
		hasError, hasWarning := s.Overall.Variance.SE.Present(), len(s.Warnings) > 0
		if hasError == s.lacksErrors() || hasError == hasWarning {
			t.Errorf("%+v: the variance has an error: %v, lacksErrors: %v, warnings %q", c.world, hasError,
				s.lacksErrors(), s.Warnings)
		}
		if !s.Overall.Variance.Value.Present() {
			t.Errorf("%+v: there is no variance", c.world)
		}
	}
}

// TestBlocksOfTexts checks that the blocks of one text count as one text, since all blocks of a
// text here have queries of the same size.
func TestBlocksOfTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	o := Options{Scale: 0.25, Workers: 1, Texts: 4, Blocks: 3}
	var parts []HeadText
	for range 4 {
		size := math.Exp(r.NormFloat64())
		for range 3 {
			q := sampleVectors(r, 32, 16, normal)
			for i := range q.Data {
				q.Data[i] *= size
			}
			parts = append(parts, measure(t, q, sampleVectors(r, 32, 16, normal), o))
		}
	}
	byText := Summarise(parts, 1, o)
	o.Texts, o.Blocks = 12, 1
	byBlock := Summarise(parts, 1, o)
	if byText.Blocks != 4 || byBlock.Blocks != 12 {
		t.Errorf("errors come from %d texts and from %d blocks, want 4 and 12", byText.Blocks, byBlock.Blocks)
	}
	if textSE, blockSE := byText.Overall.Variance.SE, byBlock.Overall.Variance.SE; !(textSE > 1.2*blockSE) {
		t.Errorf("the error from texts is %v, want more than 1.2 times the error from blocks, %v", textSE, blockSE)
	}
}

// measureHeads measures independent heads of one text whose queries have the given variances.
func measureHeads(t *testing.T, r *rand.Rand, rows, d int, variances ...float64) Summary {
	t.Helper()
	var parts []HeadText
	o := Options{Scale: 1 / math.Sqrt(float64(d)), Workers: 2}
	for _, v := range variances {
		q := sampleVectors(r, rows, d, normal)
		for i := range q.Data {
			q.Data[i] *= math.Sqrt(v)
		}
		parts = append(parts, measure(t, q, sampleVectors(r, rows, d, normal), o))
	}
	return Summarise(parts, len(variances), o)
}

// TestEveryHead checks that a gate judges every head in addition to their mean, and the standard
// deviation over heads.
func TestEveryHead(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	s := measureHeads(t, r, 2048, 64, 0.10, 1.90, 0.10, 1.90)
	j := s.Judge(Gate{Tolerance: 0.05, Alpha: 1e-3, Beta: 1e-3}, nil)
	if j.Verdict != result.Fail || len(j.Gates) != 5 || j.Gates[0].Name != MeanOfHeads ||
		j.Gates[0].Verdict != result.Pass {
		t.Errorf("got %+v, want a failure of 5 gates, of which the mean over heads passes", j)
	}
	for _, g := range j.Gates[1:] {
		if g.Verdict != result.Fail {
			t.Errorf("%s gets %s, want fail", g.Name, g.Verdict)
		}
	}
	// The standard deviation of 0.10, 1.90, 0.10, 1.90 is 0.9·√(4/3).
	if want := 0.9 * math.Sqrt(4.0/3); math.Abs(float64(s.HeadsSD)/want-1) > 0.05 {
		t.Errorf("the standard deviation over heads is %v, want %v", s.HeadsSD, want)
	}
	if s.HeadsError > 0.1*s.HeadsSD {
		t.Errorf("the expected error of heads is %v, want at most a tenth of %v", s.HeadsError, s.HeadsSD)
	}
	one := measureHeads(t, r, 64, 16, 1)
	if one.HeadsSD.Present() {
		t.Errorf("the standard deviation over one head is %v, want none", one.HeadsSD)
	}
	if j := one.Judge(Gate{Tolerance: 0.5, Alpha: 0.05, Beta: 0.05}, nil); len(j.Gates) != 1 {
		t.Errorf("one head has %d gates, want 1", len(j.Gates))
	}
}

// TestNeeded checks that TimesNeeded falls to an eighth if there are eight times as many rows, that
// Plan returns the same factor, and that timesNeeded returns its closed form for a known error.
func TestNeeded(t *testing.T) {
	gate := Gate{Tolerance: 0.001, Alpha: 1e-3, Beta: 1e-3}
	r, times := rand.New(rand.NewPCG(13, 14)), map[int]float64{}
	for range 6 {
		for _, rows := range []int{256, 2048} {
			s := measureHeads(t, r, rows, 16, 0.5, 1, 1.5, 1, 0.7, 1.3, 1, 1, 1)
			needed := float64(s.Judge(gate, nil).Gates[0].TimesNeeded)
			times[rows] += needed / 6
			if p := s.Plan(gate); math.Abs(float64(p.Mean)/needed-1) > 0.01 || !(p.Heads > 5*p.Mean) {
				t.Errorf("%d rows: the plan is %+v, want Mean = %v and Heads above 5 times Mean", rows, p, needed)
			}
		}
	}
	if ratio := times[256] / times[2048]; math.Abs(ratio/8-1) > 0.2 { // its standard deviation is 0.05
		t.Errorf("256 rows need %v times as many, and 2048 rows %v: the ratio is %v, want 8", times[256], times[2048],
			ratio)
	}
	// scipy.stats.norm.isf of SciPy 1.10.1 at 0.025 and at 0.1.
	const z, zBeta = 1.959963984540054, 1.2815515655446004
	want := math.Pow((z+zBeta)*0.3/(math.Log(1.1/0.9)/2), 2)
	if got := timesNeeded(Estimate{Value: 1, SE: 0.3, logSE: 0.3, dof: 1e9}, 0.9, 1.1, 0.05,
		0.1); math.Abs(float64(got)/want-1) > 2e-3 {
		t.Errorf("timesNeeded returns %v, want %v", got, want)
	}
}

// TestConcentrationLimit compares the interpolated limit with the quadrature of
// theory.ConcentrationLimit, to 0.1 %. Up to 16 keys both must be equal.
func TestConcentrationLimit(t *testing.T) {
	for _, n := range []int{2, 3, 7, 16, 17, 19, 25, 61, 1000, 1027, 12345, 1 << 17} {
		got, want := concentrationLimit(n), theory.ConcentrationLimit(n)
		if relativeError := math.Abs(got/want - 1); relativeError > 1e-3 || n <= 16 && relativeError > 0 {
			t.Errorf("%d keys: the limit is %v, want %v", n, got, want)
		}
	}
}

// TestLabels checks the labels of rows above, below and near the limit, and of dead rows.
func TestLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	freezing := theory.FreezingSigma(256)
	for _, c := range []struct {
		rows  int
		sigma float64
		want  string
	}{
		{256, 1, names.LabelSpread}, {256, 2 * freezing, names.LabelConcentrated}, {256, 1e4, names.LabelDead},
		{16, theory.FreezingSigma(16), names.LabelSpread + " or " + names.LabelConcentrated},
	} {
		e := measureHeads(t, r, c.rows, 64, c.sigma*c.sigma).Overall.ByScale[0]
		if e.Label != c.want {
			t.Errorf("σ = %v: the label is %q, want %q", c.sigma, e.Label, c.want)
		}
		if keys := e.EffectiveKeys; keys.Lo > keys.Value || keys.Value > keys.Hi {
			t.Errorf("σ = %v: %v effective keys are outside their interval, %v to %v", c.sigma, keys.Value, keys.Lo,
				keys.Hi)
		}
	}
}

// TestRange checks that Measure returns an error for components that are too small or too large for
// products in float32.
func TestRange(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, size := range []float64{1e-20, 1e20} {
		v := sampleVectors(r, 8, 8, normal)
		for i := range v.Data {
			v.Data[i] *= size
		}
		if _, err := Measure(v, sampleVectors(r, 8, 8, normal), Options{Scale: 1}); err == nil ||
			!strings.Contains(err.Error(), "in size") {
			t.Errorf("components of size %v: the error is %v, want one with \"in size\"", size, err)
		}
	}
}

// TestUnknownErrors checks that estimates have no standard error, and that no gate fails, for equal
// texts and for many rows of which few are distinct. The softmax statistics of one text have no
// standard error either if its queries have a common direction.
func TestUnknownErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	o := Options{Scale: 0.25, Workers: 1}
	sampleRepeated := func(distinct, rows, d int) Vectors {
		v := sampleVectors(r, distinct, d, normal)
		for len(v.Data) < rows*d {
			v.Data = append(v.Data, v.Data[:distinct*d]...)
		}
		return Vectors{rows, d, v.Data[:rows*d]}
	}
	q, k := sampleVectors(r, 64, 16, normal), sampleVectors(r, 64, 16, normal)
	two := o
	two.Texts = 2
	same := []HeadText{measure(t, q, k, two), measure(t, q, k, two)}
	for name, s := range map[string]Summary{
		"the same text twice": Summarise(same, 1, two),
		"one query":           Summarise([]HeadText{measure(t, sampleRepeated(1, 64, 16), k, o)}, 1, o),
		"15 keys":             Summarise([]HeadText{measure(t, q, sampleRepeated(15, 64, 16), o)}, 1, o),
	} {
		j := s.Judge(Gate{Tolerance: 0.01, Lo: 2, Hi: 3, Alpha: 0.05, Beta: 0.05}, nil)
		if s.Overall.Variance.SE.Present() || !s.Overall.Variance.Value.Present() || j.Verdict != result.Undecided {
			t.Errorf("%s: got the variance %+v and %s, want a variance without an error and undecided", name,
				s.Overall.Variance, j.Verdict)
		}
	}
	known := Summarise([]HeadText{measure(t, q, sampleRepeated(64, 64, 16), o)}, 1, o)
	if !known.Overall.Variance.SE.Present() || !known.Overall.ByScale[0].EffectiveKeys.SE.Present() {
		t.Errorf("64 distinct keys: the variance or the effective keys have no standard error: %+v", known.Overall)
	}
	for i := range q.Data { // a common direction of the queries
		q.Data[i]++
	}
	shifted := Summarise([]HeadText{measure(t, q, k, o)}, 1, o).Overall
	if e := shifted.ByScale[0]; e.EffectiveKeys.SE.Present() || e.EntropyRatio.SE.Present() ||
		!strings.Contains(e.Label, " or ") || !shifted.Variance.SE.Present() {
		t.Errorf("queries with a common direction: want a standard error only of the variance, got %+v", shifted)
	}
}

// TestFailsAtAlpha checks that a correct value whose error is larger than the band fails with
// probability at most α.
func TestFailsAtAlpha(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	const draws, alpha = 20_000, 0.1
	failed := 0
	for range draws {
		value := math.Exp(0.1 * r.NormFloat64())
		e := Estimate{Value: result.Number(value), SE: result.Number(0.1 * value), logSE: 0.1, dof: 1e9}
		if (GateResult{Estimate: e, Band: band(0.999, 1.001)}).judge(alpha, 0.2).Verdict == result.Fail {
			failed++
		}
	}
	// A count with rate α exceeds 4.3 standard deviations with probability 10⁻⁵.
	if limit := draws*alpha + 4.3*math.Sqrt(draws*alpha*(1-alpha)); float64(failed) > limit {
		t.Errorf("%d of %d draws fail, want %.0f at most", failed, draws, limit)
	}
}
