package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/sim/result"
	"mcsim/sim/simtest"
	"mcsim/sim/tensor"
)

// array is the twin of array in testdata/samples.py.
func array(a int64, rows, d int, mean float64) Vectors {
	v := Vectors{rows, d, make([]float64, rows*d)}
	for i := range v.Data {
		u := float64(int64(i+1)*a%65537)/65536 - 0.5
		v.Data[i] = 2*u - u*u*u + mean
	}
	return v
}

// near holds numbers against NumPy's, to 10⁻⁶ of each or of the size given.
func near(t *testing.T, what string, got, want map[string]float64, size float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, NumPy has %v", what, got, want)
	}
	for name, x := range got {
		if !(math.Abs(x-want[name]) <= 1e-6*math.Max(math.Abs(want[name]), size)) {
			t.Errorf("%s, %s: %v, NumPy %v", what, name, x, want[name])
		}
	}
}

// What is said of scores is what NumPy 1.24.2 says of all of them, one by one.
func TestAgainstNumPy(t *testing.T) {
	data, err := os.ReadFile("testdata/samples.json")
	simtest.Must(t, err)
	var all struct {
		Cases []struct {
			Queries, Keys   int
			D               int     `json:"d_k"`
			QueryMean       float64 `json:"q_mean"`
			KeyMean         float64 `json:"k_mean"`
			Crossed, Paired map[string]float64
			Softmax         map[string]map[string]map[string]float64
		}
	}
	simtest.Must(t, json.Unmarshal(data, &all))
	if len(all.Cases) < 5 {
		t.Fatalf("%d cases", len(all.Cases))
	}
	for _, c := range all.Cases {
		q, k := array(40503, c.Queries, c.D, c.QueryMean), array(30011, c.Keys, c.D, c.KeyMean)
		name := fmt.Sprintf("%d × %d of %d", c.Queries, c.Keys, c.D)
		moments := func(m Moments) map[string]float64 {
			return map[string]float64{
				"mean":           m.Mean,
				"variance":       m.Variance,
				"se":             m.Error,
				"freedom":        m.Freedom,
				"square":         m.Square,
				"query_variance": m.QueryVariance,
				"key_variance":   m.KeyVariance,
				"cosine":         m.Cosine,
			}
		}
		d := float64(c.D)
		for mask, levels := range c.Softmax {
			for level, scale := range map[string]float64{"none": 1, "root": 1 / math.Sqrt(d), "d_k": 1 / d} {
				o := Options{Scale: scale, Causal: mask == "causal", Workers: 2}
				p := measured(t, q, k, o)
				near(t, name, moments(p.Moments), c.Crossed, 0.1)
				all := Summarise([]Part{p}, 1, o).All
				e := all.Effects[0]
				near(
					t,
					name+" "+mask+" "+level,
					map[string]float64{
						"max_weight_times_keys": float64(e.Evenness),
						"entropy_ratio":         float64(e.Entropy),
						"gradient_survival_q50": float64(
							e.Survival,
						),
						"row_logit_sd": float64(e.LogitSD),
						"max_logit":    float64(all.Largest),
					},
					levels[level],
					0.1,
				)
			}
		}
		least := min(c.Queries, c.Keys)
		q, k = Vectors{least, c.D, q.Data[:least*c.D]}, Vectors{least, c.D, k.Data[:least*c.D]}
		near(t, name+" paired", moments(measured(t, q, k, Options{Scale: 1, Paired: true}).Moments), c.Paired, 0.1)
	}
}

// The exponent is 1/2 of independent components and 1 of vectors that all have one direction.
func TestExponent(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	same := drawn(r, 64, 256, func(*rand.Rand) float64 { return 1 })
	for i := range same.Rows {
		x := math.Exp(r.NormFloat64())
		for c := range same.Row(i) {
			same.Row(i)[c] = x
		}
	}
	for want, v := range map[float64]Vectors{0.5: drawn(r, 64, 256, normal), 1: same} {
		p, se := measured(
			t,
			v,
			drawn(r, 64, 256, func(r *rand.Rand) float64 { return 1 + (1-2*(want-0.5))*(r.NormFloat64()-1) }),
			Options{Scale: 1, Workers: 1},
		).exponent()
		if math.Abs(p-want) > 4*se+1e-3 || se > 0.01 {
			t.Errorf("%v ± %v, not %v", p, se, want)
		}
	}
}

// The answer is the same whatever the number of workers.
func TestWorkers(t *testing.T) {
	q, k := array(40503, 700, 24, 0.1), array(30011, 300, 24, 0)
	one, two := measured(t, q, k, Options{Scale: 0.2, Workers: 1}), measured(t, q, k, Options{Scale: 0.2, Workers: 3})
	if fmt.Sprint(one) != fmt.Sprint(two) {
		t.Errorf("%v and %v", one.Moments, two.Moments)
	}
}

// summary is of independent heads.
func summary(t *testing.T, r *rand.Rand, heads, rows, d int, sd float64) Summary {
	t.Helper()
	var parts []Part
	o := Options{Scale: 1 / math.Sqrt(float64(d)), Workers: 2}
	for range heads {
		k := drawn(r, rows, d, normal)
		for i := range k.Data {
			k.Data[i] *= sd
		}
		parts = append(parts, measured(t, drawn(r, rows, d, normal), k, o))
	}
	return Summarise(parts, heads, o)
}

// A gate of enough rows passes what is right but for α, and passes what lies on an edge with β at
// most, and fails it with α at most; with fewer rows it is undecided, not wrong.
func TestRates(t *testing.T) {
	const alpha, beta, tolerance = 0.05, 0.05, 0.3
	draws := 2000
	if testing.Short() {
		draws = 400
	}
	for _, c := range []struct {
		rows               int
		variance           float64
		pass, fail, passes float64 // at most, at most, at least
	}{
		{64, 1, 1, alpha, 1 - alpha}, {16, 1, 1, alpha, 0},
		{64, 1 + tolerance, beta, alpha, 0}, {64, 1 - tolerance, beta, alpha, 0}, {16, 1 + tolerance, beta, alpha, 0},
		{64, 2, beta, 1, 0},
	} {
		r, count := rand.New(rand.NewPCG(3, 4)), map[result.Verdict]float64{}
		for range draws {
			j := summary(
				t,
				r,
				1,
				c.rows,
				16,
				math.Sqrt(c.variance),
			).Judge(Gate{Tolerance: tolerance, Alpha: alpha, Beta: beta}, nil)
			count[j.Verdict] += 1 / float64(draws)
		}
		room := 3 * math.Sqrt(alpha*(1-alpha)/float64(draws))
		if count[result.Pass] > c.pass+room || count[result.Fail] > c.fail+room || count[result.Pass] < c.passes-room {
			t.Errorf("%+v: %v", c, count)
		}
	}
}

// Keys of a standard deviation of 1.01 fail a gate of 1 % once there are enough of them, and
// right ones pass; with fewer neither is decided, and it is said how many more would do.
func TestOnePercent(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 30 million products")
	}
	r := rand.New(rand.NewPCG(5, 6))
	gate := Gate{Tolerance: 0.01, Alpha: 1e-3, Beta: 1e-3}
	for sd, want := range map[float64]result.Verdict{1: result.Pass, 1.01: result.Fail} {
		few := summary(t, r, 16, 256, 64, sd).Judge(gate, nil)
		if few.Verdict != result.Undecided || !(few.Gates[0].Needed > 1) {
			t.Errorf("few of a standard deviation of %v: %+v", sd, few)
		}
		many := summary(t, r, 128, 512, 64, sd).Judge(gate, nil)
		if many.Verdict != want {
			t.Errorf("a standard deviation of %v: %+v", sd, many)
		}
		if band := summary(t, r, 4, 2048, 64, sd).Judge(Gate{Lo: 0.9, Hi: 1.1, Alpha: 1e-3, Beta: 1e-3}, nil); band.Verdict != result.Pass ||
			len(band.Gates) != 4 {
			t.Errorf("a standard deviation of %v in a band: %+v", sd, band)
		}
	}
}

// walk are rows of which each is like the one before.
func walk(r *rand.Rand, rows, d int) Vectors {
	v := drawn(r, rows, d, normal)
	for i := 1; i < rows; i++ {
		for c := range d {
			v.Row(i)[c] = 0.9*v.Row(i - 1)[c] + math.Sqrt(1-0.9*0.9)*v.Row(i)[c]
		}
	}
	return v
}

// Of rows that depend on each other the error between twelve texts is right, and four texts have
// none, which is said.
func TestTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	o := Options{Scale: 0.25, Workers: 1}
	const draws = 100
	var values []float64
	var between float64
	for range draws {
		var parts []Part
		for range 12 {
			parts = append(parts, measured(t, walk(r, 48, 16), walk(r, 48, 16), o))
		}
		s := Summarise(parts, 1, o)
		values = append(values, float64(s.All.Variance.Value))
		between += float64(s.All.Variance.SE*s.All.Variance.SE) / draws
		few := Summarise(parts[:4], 1, o)
		if few.Blocks != 0 || s.Blocks != 12 || few.All.Variance.SE.Present() || !few.All.Variance.Value.Present() ||
			!strings.Contains(few.Dependence, "errors are not known") || !strings.Contains(s.Dependence, "12 texts") {
			t.Fatalf("%d and %d blocks; %s; %s", few.Blocks, s.Blocks, few.Dependence, s.Dependence)
		}
	}
	if ratio := math.Sqrt(variance(values) / between); math.Abs(ratio-1) > 3/math.Sqrt(2*draws) {
		t.Errorf("estimates scatter %v times what the error between texts says", ratio)
	}
}

// Mistakes are noticed, each with what to type, and sound samples get no warning.
func TestMistakes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	of := func(q, k Vectors, shape []int, name string, split bool) []string {
		s := Summarise(
			[]Part{measured(t, q, k, Options{Scale: 1 / math.Sqrt(float64(q.Dimension)), Workers: 1})},
			1,
			Options{Scale: 1 / math.Sqrt(float64(q.Dimension))},
		)
		return s.warnings(Source{name, "k", shape, shape, split})
	}
	times := func(v Vectors, x float64) Vectors {
		for i := range v.Data {
			v.Data[i] *= x
		}
		return v
	}
	q, k := drawn(r, 256, 64, normal), drawn(r, 256, 64, normal)
	wide, other := drawn(r, 600, 768, normal), drawn(r, 600, 768, normal)
	square := times(drawn(r, 768, 768, normal), 0.02)
	for _, c := range []struct {
		says     string
		warnings []string
	}{
		{"", of(q, k, []int{256, 64}, "q", false)},
		{"", of(times(drawn(r, 256, 64, normal), 3), k, []int{1, 1, 256, 64}, "query", false)},
		{"--wq self_attn.q_proj.weight --wk k", of(square, square, []int{768, 768}, "self_attn.q_proj.weight", false)},
		{"--wq q --wk k", of(square, times(drawn(r, 768, 768, normal), 0.02), []int{768, 768}, "q", false)},
		{"--heads 12", of(wide, other, []int{600, 768}, "q", false)},
		{"q.transpose(1, 2)", of(q, k, []int{2, 256, 12, 64}, "q", false)},
		{"the same vectors", of(q, q, []int{256, 64}, "q", false)},
		{"transposed", of(drawn(r, 64, 250, normal), drawn(r, 64, 250, normal), []int{64, 250}, "q", false)},
		{"does not vary", of(times(drawn(r, 256, 64, normal), 0), k, []int{256, 64}, "q", false)},
		{"does not vary", of(constant(256, 64), constant(256, 64), []int{256, 64}, "q", false)},
		{"--scale none", of(times(drawn(r, 256, 64, normal), 1.0/8), k, []int{256, 64}, "q", false)},
	} {
		if said := strings.Join(c.warnings, "; "); c.says == "" && said != "" || !strings.Contains(said, c.says) {
			t.Errorf("%q does not say %q", said, c.says)
		}
	}
}

// constant are equal vectors of numbers that are not round.
func constant(rows, d int) Vectors {
	v := Vectors{rows, d, make([]float64, rows*d)}
	for i := range v.Data {
		v.Data[i] = 0.1 + 0.3*float64(i%d)
	}
	return v
}

// Heads of more numbers than are kept are looked at in blocks, with the answer of all rows, and in
// bounded memory, whatever the file announces; what cannot be cut is refused.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, c := range []struct {
		queries, keys, d, blocks int
		paired                   bool
		says                     string
	}{
		{1000, 1000, 64, 1, false, ""}, {1 << 16, 1 << 16, 64, 1, false, ""}, {1<<16 + 1, 1<<16 + 1, 64, 17, false, ""},
		{200_000, 200_000, 64, 4, true, ""}, {39_000_000, 39_000_000, 64, 9522, false, ""}, {39_000_000, 8, 64, 0, false, "too many to be kept"},
	} {
		s := &Samples{Queries: c.queries, Keys: c.keys, Dimension: c.d}
		if err := s.cut(c.paired); c.says == "" && (err != nil || s.blocks != c.blocks) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: %d blocks, %v", c, s.blocks, err)
		}
		if from, to := s.rows(s.blocks-1, c.queries); c.says == "" && (to != c.queries || (to-from)*c.d > maxNumbers) {
			t.Errorf("%+v: the last block is %d to %d", c, from, to)
		}
	}
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "q.npy"), filepath.Join(dir, "k.npy")}
	const rows, d = 36_864, 128
	for _, path := range paths {
		v := values{[]int{rows, d}, true, make([]float64, rows*d)}
		for i := range v.data {
			v.data[i] = math.Round(20 * r.NormFloat64())
		}
		writeArray(t, path, v)
	}
	files, err := tensor.Open(paths...)
	simtest.Must(t, err)
	defer files.Close()
	s, err := Find(files, Names{}, 0, 0)
	simtest.Must(t, err)
	got, _, err := s.Measure(context.Background(), Options{Scale: 1, Workers: 2}, func() {})
	simtest.Must(t, err)
	// A normal number that is rounded has a twelfth more variance.
	want := math.Pow(400+1./12, 2)
	if z := (float64(got.All.Ratio.Value) - want) / float64(got.All.Ratio.SE); got.Blocks != 9 || !(math.Abs(z) < 4.5) || float64(got.All.Ratio.SE) > 0.01*want {
		t.Errorf("%d blocks: %+v, not %v", got.Blocks, got.All.Ratio, want)
	}
}

// Numbers that float32 does not hold are refused.
func TestRange(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, size := range []float64{1e-20, 1e20} {
		v := drawn(r, 8, 8, normal)
		for i := range v.Data {
			v.Data[i] *= size
		}
		if _, err := Measure(v, drawn(r, 8, 8, normal), Options{Scale: 1}); err == nil || !strings.Contains(err.Error(), "in size") {
			t.Errorf("%v: %v", size, err)
		}
	}
}

// Samples are found by their names, in two files too, and split into heads.
func TestFind(t *testing.T) {
	counted := func(shape ...int) values {
		v := values{shape: shape}
		n := 1
		for _, s := range shape {
			n *= s
		}
		for i := range n {
			v.data = append(v.data, float64(i*i*7%256)+1)
		}
		return v
	}
	q, k := counted(2, 5, 12), counted(2, 7, 12)
	s, err := Find(openArrays(t, map[string]values{"q": q, "k": k}), Names{}, 3, 3)
	simtest.Must(t, err)
	simtest.Must(t, s.cut(false))
	m, err := s.read(place{1, 0, 2, s.layers[0]}, 2, Options{})
	simtest.Must(t, err)
	if s.Texts != 2 || s.Heads != 3 || s.Dimension != 4 || m.q.Rows != 5 || m.k.Rows != 7 || m.q.Row(1)[1] != q.data[60+12+9] {
		t.Errorf("%+v, %v", s.Source, m.q)
	}
	type given = map[string]values
	for says, c := range map[string]struct {
		arrays          given
		names           Names
		heads, keyHeads int
	}{
		"no arrays are named":         {given{"a": q}, Names{}, 0, 0},
		"no array \"z\"":              {given{"q": q, "k": k}, Names{Q: "z", K: "k"}, 0, 0},
		"must be the same":            {given{"q": q, "c": counted(2, 7, 6)}, Names{Q: "q", K: "c"}, 0, 0},
		"which 5 heads":               {given{"q": q, "k": k}, Names{}, 5, 5},
		"say --heads":                 {given{"one": counted(2, 5000), "two": counted(2, 5000)}, Names{}, 0, 0},
		"rows × d_k":                  {given{"q": q, "v": counted(7)}, Names{Q: "q", K: "v"}, 0, 0},
		"logits and weights of these": {given{"q": q, "k": k, "logits": counted(2, 5, 5)}, Names{}, 0, 0},
		"average_attn_weights=False":  {given{"q": counted(2, 3, 5, 4), "k": counted(2, 3, 7, 4), "weights": counted(2, 5, 7)}, Names{}, 0, 0},
		"and so no numbers":           {given{"q": q, "e": {shape: []int{2, 0, 12}}}, Names{Q: "q", K: "e"}, 0, 0},
		"2 heads on its second axis":  {given{"q": counted(2, 4, 5, 8), "k": counted(2, 2, 5, 8)}, Names{}, 4, 4},
		"must both have one {}":       {given{"q": q, "k": k}, Names{Q: "q{}", K: "k"}, 0, 0},
		"no array \"h.0.q\"":          {given{"q": q, "k": k}, Names{Q: "h.{}.q", K: "h.{}.k"}, 0, 0},
		"needs heads × rows × d_k":    {given{"l0.q": counted(5, 8), "l0.k": counted(5, 8), "l1.q": counted(5, 8), "l1.k": counted(5, 8)}, Names{}, 0, 0},
		"several arrays are named":    {given{"a.0.q": q, "a.0.k": k, "b.0.q": q, "b.0.k": k}, Names{}, 0, 0},
		"layers judged together must": {given{"l0.q": q, "l0.k": k, "l1.q": counted(2, 6, 12), "l1.k": k}, Names{}, 0, 0},
		"do not both have logits":     {given{"l0.q": q, "l0.k": k, "l0.logits": counted(2, 5, 7), "l1.q": q, "l1.k": k}, Names{}, 0, 0},
	} {
		if _, err := Find(openArrays(t, c.arrays), c.names, c.heads, c.keyHeads); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}

// Names of layers are found, whatever their numbers stand in, and ordered by these.
func TestLayers(t *testing.T) {
	m := newModel(41, 2, 2, 2, 8, 8)
	for name, c := range map[string]struct {
		query, key string // % is the number of a layer
		names      Names
	}{
		"layer0.q":         {"layer%.q", "layer%.k", Names{}},
		"layers.0.q":       {"layers.%.q", "layers.%.k", Names{}},
		"q0":               {"q%", "k%", Names{}},
		"query_states_0":   {"query_states_%", "key_states_%", Names{}},
		"block_0_query":    {"block_%_query", "block_%_key", Names{}},
		"by names with {}": {"h.%.xs", "h.%.ys", Names{Q: "h.{}.xs", K: "h.{}.ys"}},
	} {
		t.Run(name, func(t *testing.T) {
			all := map[string]values{"norm.weight": {shape: []int{2}, data: []float64{1, 1}}}
			for _, number := range []string{"2", "10", "0"} {
				for suffix, v := range m.arrays(nil) {
					array := map[string]string{"q": c.query, "k": c.key}[suffix]
					all[strings.ReplaceAll(array, "%", number)] = v
				}
			}
			s, err := Find(openArrays(t, all), c.names, 0, 0)
			simtest.Must(t, err)
			var titles []string
			for _, l := range s.layers {
				titles = append(titles, l.title)
			}
			if strings.Join(titles, " ") != "0 2 10" || s.Heads != 6 || strings.Join(s.unused, " ") != "norm.weight" {
				t.Errorf("layers %q, %d heads, unused %q", titles, s.Heads, s.unused)
			}
		})
	}
}

// Heads of layers are judged each by its own layer, of which one may have others than another.
func TestHeadsOfLayers(t *testing.T) {
	two, four := newModel(42, 8, 2, 1, 16, 16), newModel(43, 8, 4, 2, 16, 16)
	for i := range four.q {
		four.q[i] *= 3
	}
	all := map[string]values{}
	for name, v := range two.arrays(map[string]values{"logits": two.pairs(func(p at) float64 { return p.score / 4 })}) {
		all["layer0."+name] = v
	}
	for name, v := range four.arrays(map[string]values{"logits": four.pairs(func(p at) float64 { return p.score / 16 })}) {
		all["layer1."+name] = v
	}
	out, a, err := look(t, all, Options{})
	simtest.Must(t, err)
	if len(out.Heads) != 6 || out.Heads[5].Title() != "layer 1, head 3" || out.Heads[1].Title() != "layer 0, head 1" {
		t.Fatalf("%+v", out.Heads)
	}
	for _, h := range out.Heads {
		want := map[string]float64{"0": 1, "1": 3}[h.Layer]
		if sd := h.LogitSD; !(math.Abs(float64(sd.Value)-want) < 6*float64(sd.SE)) {
			t.Errorf("%s: %v ± %v, want %v", h.Title(), sd.Value, sd.SE, want)
		}
	}
	if a.Verdict != result.Fail || !strings.Contains(a.Looks, "from head to head") {
		t.Errorf("%+v", a)
	}
}

// Numbers of heads that agree with the axes are accepted, and others split the last axis.
func TestHeadsGiven(t *testing.T) {
	array := func(shape ...int) values {
		n := 1
		for _, s := range shape {
			n *= s
		}
		return values{shape: shape, data: make([]float64, n)}
	}
	for name, c := range map[string]struct {
		q, k            values
		heads, keyHeads int
		want            [4]int // texts, heads, heads of keys, d_k
	}{
		"of four axes":           {array(3, 8, 5, 32), array(3, 2, 5, 32), 8, 2, [4]int{3, 8, 2, 32}},
		"of keys alone":          {array(3, 8, 5, 32), array(3, 2, 5, 32), 0, 2, [4]int{3, 8, 2, 32}},
		"of three axes":          {array(8, 5, 64), array(8, 5, 64), 8, 8, [4]int{1, 8, 8, 64}},
		"of three, shared":       {array(8, 5, 32), array(2, 5, 32), 8, 2, [4]int{1, 8, 2, 32}},
		"side by side":           {array(8, 5, 512), array(8, 5, 128), 8, 2, [4]int{8, 8, 2, 64}},
		"side by side, one text": {array(5, 512), array(5, 512), 8, 8, [4]int{1, 8, 8, 64}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Find(openArrays(t, map[string]values{"q": c.q, "k": c.k}), Names{}, c.heads, c.keyHeads)
			simtest.Must(t, err)
			if got := [4]int{s.Texts, s.Heads, s.layers[0].key.heads, s.Dimension}; got != c.want {
				t.Errorf("texts, heads, heads of keys and d_k %v, want %v", got, c.want)
			}
		})
	}
}
