package claim_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"mcsim/sim/attention"
	"mcsim/sim/claim"
	"mcsim/sim/result"
)

// TestRoundedScores samples scores that are rounded to the printed scores. For each sample, the
// results of package attention must be in the intervals that the functions return. The weights must
// come near the ends of their intervals, since they are monotonic in each score.
func TestRoundedScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := []string{"1.25", "0.80", "-0.20", "0.1"}
	centres, halfWidths := []float64{1.25, 0.80, -0.20, 0.1}, []float64{0.005, 0.005, 0.005, 0.05}
	measures := map[string]func(attention.Measures) float64{
		"row_max_weight":     func(m attention.Measures) float64 { return m.MaxWeight },
		"row_entropy":        func(m attention.Measures) float64 { return m.Entropy },
		"row_entropy_ratio":  func(m attention.Measures) float64 { return m.EntropyRatio },
		"row_relative_trace": func(m attention.Measures) float64 { return m.RelativeTrace },
	}
	_, weights, err := claim.Call("weights", map[string][]string{"scores": texts}, "scores")
	if err != nil {
		t.Fatal(err)
	}
	minima, maxima := []float64{1, 1, 1, 1}, make([]float64, 4)
	for n := range 20000 {
		row := make([]float64, 4)
		for i := range row {
			row[i] = centres[i] + halfWidths[i]*(2*rng.Float64()-1)
			if n < 16 { // the corners of the box of scores
				row[i] = centres[i] + halfWidths[i]*float64(2*(n>>i&1)-1)
			}
		}
		attention.Softmax(row)
		for i, w := range row {
			if w < weights[i].Lo || w > weights[i].Hi {
				t.Fatalf("weight %d is %v, want a number in %v", i, w, weights[i])
			}
			minima[i], maxima[i] = min(minima[i], w), max(maxima[i], w)
		}
		m := attention.Measure(row, len(row))
		for name, measure := range measures {
			_, bounds, err := claim.Call(name, map[string][]string{"scores": texts}, "scores")
			if err != nil || measure(m) < bounds[0].Lo || measure(m) > bounds[0].Hi {
				t.Fatalf("%s is %v, want a number in %v (error %v)", name, measure(m), bounds, err)
			}
		}
	}
	for i := range minima {
		if minima[i]-weights[i].Lo > 1e-14 || weights[i].Hi-maxima[i] > 1e-14 {
			t.Errorf("weight %d has the interval %v, want the sampled range %v to %v", i, weights[i], minima[i],
				maxima[i])
		}
	}
}

// TestOutward checks that the interval of a sum contains the exact sum 1 of decimals that are not
// exact in float64.
func TestOutward(t *testing.T) {
	texts := []string{"0.1", "0.2", "0.3", "0.4"}
	_, got, err := claim.Call("sums_of_rows", map[string][]string{"weights": texts, "columns": {"4"}})
	if err != nil || got[0].Lo > 1 || got[0].Hi < 1 || got[0].Hi-got[0].Lo > 1e-14 {
		t.Errorf("got the interval %v with the error %v, want an interval around 1 of width 1e-14 at most", got, err)
	}
}

// TestPrintedVariance compares the closed forms for the mean and the standard deviation of a
// variance of n × m products with simulations for small sizes. For d_k = 512 it compares them with
// PyTorch 1.13.0: the standard deviation of 40,000 variances (torch.var of 10 × 10 products,
// torch.manual_seed(1)) is 14.478 % of their mean, with a standard error of 0.053 %.
func TestPrintedVariance(t *testing.T) {
	predict := func(d, n, m int) (mean, sd float64) {
		values, bounds, err := claim.Call("printed_variance",
			map[string][]string{"d_k": {strconv.Itoa(d)}, "queries": {strconv.Itoa(n)}, "keys": {strconv.Itoa(m)}})
		if err != nil {
			t.Fatal(err)
		}
		return values[0], (bounds[0].Hi - bounds[0].Lo) / 2
	}
	if mean, sd := predict(512, 10, 10); mean != 512 || math.Abs(sd/512-0.14478) > 4*0.00053 {
		t.Errorf("d_k = 512, 10 × 10: got %v ± %v, want 512 ± 14.478 %%", mean, sd)
	}
	const repeats = 200_000
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][3]int{{2, 2, 3}, {4, 3, 3}, {8, 4, 2}} {
		d, n, m := size[0], size[1], size[2]
		var sum, square, fourth float64
		mean, sd := predict(d, n, m)
		for range repeats {
			v := sampleVariance(rng, d, n, m) - mean
			sum, square, fourth = sum+v, square+v*v, fourth+v*v*v*v
		}
		got := square / repeats
		se := math.Sqrt((fourth/repeats - got*got) / repeats)
		if math.Abs(sum/repeats) > 5*sd/math.Sqrt(repeats) || math.Abs(got-sd*sd) > 5*se {
			t.Errorf("d_k = %d, %d × %d: the simulated mean differs by %v from the closed form, and the simulated "+
				"variance is %v ± %v, want %v", d, n, m, sum/repeats, got, se, sd*sd)
		}
	}
}

// sampleVariance returns the variance of the products of n normal queries with m keys.
func sampleVariance(rng *rand.Rand, d, n, m int) float64 {
	q, k := make([]float64, n*d), make([]float64, m*d)
	for i := range q {
		q[i] = rng.NormFloat64()
	}
	for i := range k {
		k[i] = rng.NormFloat64()
	}
	var sum, square float64
	for i := range n {
		for j := range m {
			s := 0.0
			for c := range d {
				s += q[i*d+c] * k[j*d+c]
			}
			sum, square = sum+s, square+s*s
		}
	}
	pairs := float64(n * m)
	return (square - sum*sum/pairs) / (pairs - 1)
}

// TestFunctionsAgainstReference compares the functions of claims with numbers of the reference
// ledger, which have six digits.
func TestFunctionsAgainstReference(t *testing.T) {
	for _, c := range []struct {
		name      string
		args      map[string][]string
		want      float64
		tolerance float64
	}{
		{"share_beyond", map[string][]string{"d_k": {"64"}, "size": {"8"}}, 0.313576, 1e-6},
		{"share_beyond", map[string][]string{"d_k": {"512"}, "size": {"100"}}, 2 * 5.795e-06, 2e-9},
		{"distance_from_normal", map[string][]string{"d_k": {"2"}}, 0.0620214, 1e-7},
		{"distance_from_normal", map[string][]string{"d_k": {"512"}}, 0.000268868, 1e-8},
		{"expected_relative_trace", map[string][]string{"keys": {"8"}, "logit_variance": {"2"}}, 0.780965, 1e-6},
		{"row_relative_trace", map[string][]string{"scores": {"8.8", "4.4", "4.4"}}, 0.0706062, 1e-6},
		{"row_jacobian_norm", map[string][]string{"scores": {"-15", "8", "22", "-3"}}, 1.66306e-06, 1e-11},
		{"unscaled_logit_sd", map[string][]string{"init": {"normal-0.02"}, "d_model": {"768"}, "d_k": {"64"}}, 2.4576,
			1e-4},
		{"unscaled_logit_sd", map[string][]string{"init": {"tf-truncated-0.02"}, "d_model": {"768"}, "d_k": {"64"}},
			1.90154, 1e-5},
	} {
		got, _, err := claim.Call(c.name, c.args)
		if err != nil || math.Abs(got[0]-c.want) > c.tolerance {
			t.Errorf("%s of %v: got %v with the error %v, want %v", c.name, c.args, got, err, c.want)
		}
	}
}

// judgeLines judges a closed-form claim that has the given further lines of YAML.
func judgeLines(t *testing.T, lines string) result.Claim {
	t.Helper()
	l, err := claim.Parse("l", []byte(newLedger("    kind: closed-form\n"+lines)))
	if err != nil {
		t.Fatal(err)
	}
	return claim.Judge([]*claim.Ledger{l}, nil)[0]
}

// TestScientificNotation checks the tolerance of numbers that are published in scientific notation.
func TestScientificNotation(t *testing.T) {
	for published, want := range map[string]string{
		"3.7e-44": "holds to rounding", "3.8e-44": "wrong", "3.72E-44": "holds to rounding", "3.71e-44": "wrong",
		"4e-44": "holds to rounding",
	} {
		// e^-100 is 3.720076e-44.
		if got := judgeLines(t, "    published: [1, "+published+
			"]\n    by: weights\n    of: {scores: [100, 0]}\n"); got.Verdict != want {
			t.Errorf("%s published for e^-100: the verdict is %q, want %q", published, got.Verdict, want)
		}
	}
	for published, want := range map[string]string{"6.7e7": "holds to rounding", "6.8e7": "wrong",
		"7e7": "holds to rounding", "6e7": "wrong"} {
		if got := judgeLines(t, "    published: "+published+
			"\n    by: stored_scores\n    of: {context: 8192}\n"); got.Verdict != want {
			t.Errorf("%s published for 2^26: the verdict is %q, want %q", published, got.Verdict, want)
		}
	}
}

// TestRoundedArguments checks that a claim holds to rounding if it is true for any value to which a
// rounded argument can be restored.
func TestRoundedArguments(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		// The temperature is between 0.05 and 0.15, so the smaller weight is at most 0.0013.
		{"    published: [0.3, 0.7]\n    by: weights\n    of: {scores: [1, 2], temperature: 0.1}\n" +
			"    rounded: [temperature]\n", "wrong"},
		{"    published: [0.0012, 0.9988]\n    by: weights\n    of: {scores: [1, 2], temperature: 0.1}\n" +
			"    rounded: [temperature]\n", "holds to rounding"},
		// d_k^(1 − 2p) is 64^0.1 at p = 0.45, and 64^-0.1 at p = 0.55.
		{"    published: 1.5\n    by: variance_of_score\n    of: {d_k: 64, exponent: 0.5}\n    rounded: exponent\n",
			"holds to rounding"},
		{"    published: 1.6\n    by: variance_of_score\n    of: {d_k: 64, exponent: 0.5}\n    rounded: exponent\n",
			"wrong"},
		{"    published: 0.7\n    by: variance_of_score\n    of: {d_k: 64, exponent: 0.5}\n    rounded: exponent\n",
			"holds to rounding"},
		// P(|q·k|/8 ≥ 0.9375) is 0.343, and P(|q·k|/8 ≥ 1.0625) is 0.286 (8 = √d_k).
		{"    published: 0.35\n    by: share_beyond\n    of: {d_k: 64, size: 8}\n", "wrong"},
		{"    published: 0.34\n    by: share_beyond\n    of: {d_k: 64, size: 8}\n    rounded: size\n",
			"holds to rounding"},
		{"    published: 0.29\n    by: share_beyond\n    of: {d_k: 64, size: 8}\n    rounded: size\n",
			"holds to rounding"},
		{"    published: 0.780965\n    by: expected_relative_trace\n    of: {keys: 8, logit_variance: 2}\n",
			"holds to rounding"},
		{"    published: 0.75\n    by: expected_relative_trace\n    of: {keys: 8, logit_variance: 2}\n", "wrong"},
		{"    published: 0.75\n    by: expected_relative_trace\n    of: {keys: 8, logit_variance: 2}\n" +
			"    rounded: logit_variance\n", "holds to rounding"},
	} {
		if got := judgeLines(t, c.lines); got.Verdict != c.want {
			t.Errorf("%s: the verdict is %q, want %q; the value is %v in [%v, %v]", c.lines, got.Verdict, c.want,
				got.Value, got.Lo, got.Hi)
		}
	}
	// Either of the rounded scores 1 and 1.0 may be the larger one.
	_, bounds, err := claim.Call("winner_gradient", map[string][]string{"scores": {"1", "1.0", "0"}}, "scores")
	if err != nil || bounds[0].Lo > 0.2350 || bounds[0].Hi < 0.2499 {
		t.Errorf("winner_gradient: got %v with the error %v, want an interval that contains 0.2350..0.2499", bounds,
			err)
	}
}

// TestUnbounded checks that rounding does not move an argument out of its range, and that an
// unbounded interval does not settle a claim.
func TestUnbounded(t *testing.T) {
	_, bounds, err := claim.Call("product_moments", map[string][]string{"q_mean": {"0"}, "q_sd": {"0.4"}}, "q_sd",
		"q_mean")
	if err != nil || bounds[1].Hi > 0.25+0.2025+1e-12 || bounds[1].Lo > 0.1226 {
		t.Errorf("product_moments: got %v with the error %v, want an upper end of at most 0.4525 for the second",
			bounds,
			err)
	}
	l, err := claim.Parse("l", []byte(newLedger("    kind: closed-form\n    published: 3\n"+
		"    by: stored_scores\n    of: {context: 2}\n")))
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		bounds claim.Interval
		want   string
	}{
		{claim.Interval{Lo: -inf, Hi: inf}, "not settled"}, {claim.Interval{Lo: 1, Hi: inf}, "not settled"},
		{claim.Interval{Lo: math.NaN(), Hi: math.NaN()}, "not settled"},
		{claim.Interval{Lo: 3, Hi: 3}, "holds"}, {claim.Interval{Lo: 5, Hi: 6}, "wrong"},
	} {
		got := judgeOne("s", l.Claims[0].WithInterval(c.bounds), nil)
		if _, err := json.Marshal(got); got.Verdict != c.want || err != nil {
			t.Errorf("the interval %v: the verdict is %q with the JSON error %v, want %q", c.bounds, got.Verdict, err,
				c.want)
		}
	}
}
