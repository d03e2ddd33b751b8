package claim_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"mcsim/sim/attention"
	"mcsim/sim/claim"
	"mcsim/sim/result"
)

// What functions give from rounded scores holds what attention gives of any scores that round
// to the printed ones, and comes near the ends of it where each score pulls one way.
func TestRoundedScores(t *testing.T) {
	from := rand.New(rand.NewPCG(1, 2))
	text := []string{"1.25", "0.80", "-0.20", "0.1"}
	middle, half := []float64{1.25, 0.80, -0.20, 0.1}, []float64{0.005, 0.005, 0.005, 0.05}
	measures := map[string]func(attention.Measures) float64{
		"row_max_weight":     func(m attention.Measures) float64 { return m.MaxWeight },
		"row_entropy":        func(m attention.Measures) float64 { return m.Entropy },
		"row_entropy_ratio":  func(m attention.Measures) float64 { return m.EntropyRatio },
		"row_relative_trace": func(m attention.Measures) float64 { return m.RelativeTrace },
	}
	_, weights, err := claim.Call("weights", map[string][]string{"scores": text}, "scores")
	if err != nil {
		t.Fatal(err)
	}
	least, most := []float64{1, 1, 1, 1}, make([]float64, 4)
	for n := range 20000 {
		row := make([]float64, 4)
		for i := range row {
			row[i] = middle[i] + half[i]*(2*from.Float64()-1)
			if n < 16 {
				row[i] = middle[i] + half[i]*float64(2*(n>>i&1)-1)
			}
		}
		attention.Softmax(row)
		for i, w := range row {
			if w < weights[i].Lo || w > weights[i].Hi {
				t.Fatalf("weight %d is %v, outside of %v", i, w, weights[i])
			}
			least[i], most[i] = min(least[i], w), max(most[i], w)
		}
		m := attention.Measure(row, len(row))
		for name, of := range measures {
			_, within, err := claim.Call(name, map[string][]string{"scores": text}, "scores")
			if err != nil || of(m) < within[0].Lo || of(m) > within[0].Hi {
				t.Fatalf("%s is %v, outside of %v (%v)", name, of(m), within, err)
			}
		}
	}
	for i := range least {
		if least[i]-weights[i].Lo > 1e-14 || weights[i].Hi-most[i] > 1e-14 {
			t.Errorf("weight %d goes from %v to %v, %v is wider", i, least[i], most[i], weights[i])
		}
	}
}

// A sum of decimals, which float64 does not have, holds the exact one.
func TestOutward(t *testing.T) {
	texts := []string{"0.1", "0.2", "0.3", "0.4"}
	_, got, err := claim.Call("sums_of_rows", map[string][]string{"weights": texts, "columns": {"4"}})
	if err != nil || got[0].Lo > 1 || got[0].Hi < 1 || got[0].Hi-got[0].Lo > 1e-14 {
		t.Errorf("%v, %v", got, err)
	}
	exact, _ := new(big.Rat).SetString("0.1")
	if f, _ := exact.Float64(); f != 0.1 {
		t.Error(f)
	}
}

// What the demonstration prints has the variance d_k, and scatters as its closed form says:
// by drawing at small sizes, and at its own beside PyTorch 1.13.0, 40,000 of whose
// variances (torch.var of 10 × 10 products at d_k = 512, torch.manual_seed(1)) scatter by
// 14.478 % with a standard error of 0.053 %.
func TestPrintedVariance(t *testing.T) {
	of := func(d, n, m int) (mean, sd float64) {
		at, from, err := claim.Call("printed_variance", map[string][]string{"d_k": {strconv.Itoa(d)}, "queries": {strconv.Itoa(n)}, "keys": {strconv.Itoa(m)}})
		if err != nil {
			t.Fatal(err)
		}
		return at[0], (from[0].Hi - from[0].Lo) / 2
	}
	if mean, sd := of(512, 10, 10); mean != 512 || math.Abs(sd/512-0.14478) > 4*0.00053 {
		t.Errorf("%v ± %v", mean, sd)
	}
	const repeats = 200_000
	from := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][3]int{{2, 2, 3}, {4, 3, 3}, {8, 4, 2}} {
		d, n, m := size[0], size[1], size[2]
		var sum, square, fourth float64
		mean, sd := of(d, n, m)
		for range repeats {
			v := printed(from, d, n, m) - mean
			sum, square, fourth = sum+v, square+v*v, fourth+v*v*v*v
		}
		got := square / repeats
		se := math.Sqrt((fourth/repeats - got*got) / repeats)
		if math.Abs(sum/repeats) > 5*sd/math.Sqrt(repeats) || math.Abs(got-sd*sd) > 5*se {
			t.Errorf("d = %d, %d × %d: off by %v, variance %v ± %v, want %v", d, n, m, sum/repeats, got, se, sd*sd)
		}
	}
}

// printed is the variance of all products of n normal queries with m keys, over nm − 1.
func printed(from *rand.Rand, d, n, m int) float64 {
	q, k := make([]float64, n*d), make([]float64, m*d)
	for i := range q {
		q[i] = from.NormFloat64()
	}
	for i := range k {
		k[i] = from.NormFloat64()
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

// Integrals and closed forms beside the numbers of the reference ledger, which have six digits.
func TestAgainstOthers(t *testing.T) {
	for _, c := range []struct {
		name string
		args map[string][]string
		want float64
		off  float64
	}{
		{"share_beyond", map[string][]string{"d_k": {"64"}, "size": {"8"}}, 0.313576, 1e-6},
		{"share_beyond", map[string][]string{"d_k": {"512"}, "size": {"100"}}, 2 * 5.795e-06, 2e-9},
		{"distance_from_normal", map[string][]string{"d_k": {"2"}}, 0.0620214, 1e-7},
		{"distance_from_normal", map[string][]string{"d_k": {"512"}}, 0.000268868, 1e-8},
		{"expected_relative_trace", map[string][]string{"keys": {"8"}, "logit_variance": {"2"}}, 0.780965, 1e-6},
		{"row_relative_trace", map[string][]string{"scores": {"8.8", "4.4", "4.4"}}, 0.0706062, 1e-6},
		{"row_jacobian_norm", map[string][]string{"scores": {"-15", "8", "22", "-3"}}, 1.66306e-06, 1e-11},
		{"unscaled_logit_sd", map[string][]string{"init": {"normal-0.02"}, "d_model": {"768"}, "d_k": {"64"}}, 2.4576, 1e-4},
		{"unscaled_logit_sd", map[string][]string{"init": {"tf-truncated-0.02"}, "d_model": {"768"}, "d_k": {"64"}}, 1.90154, 1e-5},
	} {
		at, _, err := claim.Call(c.name, c.args)
		if err != nil || math.Abs(at[0]-c.want) > c.off {
			t.Errorf("%s of %v: %v, want %v (%v)", c.name, c.args, at, c.want, err)
		}
	}
}

// one judges one claim that publishes numbers.
func one(t *testing.T, lines string) result.Claim {
	t.Helper()
	l, err := claim.Parse("l", []byte(small("    kind: closed-form\n"+lines)))
	if err != nil {
		t.Fatal(err)
	}
	return claim.Judge([]*claim.Ledger{l}, nil)[0]
}

// Printed digits are those in front of a power of ten.
func TestScientificNotation(t *testing.T) {
	for published, want := range map[string]string{
		"3.7e-44": "holds to rounding", "3.8e-44": "wrong", "3.72E-44": "holds to rounding", "3.71e-44": "wrong", "4e-44": "holds to rounding",
	} {
		// e^-100 is 3.720076e-44.
		if got := one(t, "    published: [1, "+published+"]\n    by: weights\n    of: {scores: [100, 0]}\n"); got.Verdict != want {
			t.Errorf("%s for e^-100: %s, want %s", published, got.Verdict, want)
		}
	}
	for published, want := range map[string]string{"6.7e7": "holds to rounding", "6.8e7": "wrong", "7e7": "holds to rounding", "6e7": "wrong"} {
		if got := one(t, "    published: "+published+"\n    by: stored_scores\n    of: {context: 8192}\n"); got.Verdict != want {
			t.Errorf("%s for 2^26: %s, want %s", published, got.Verdict, want)
		}
	}
}

// What a rounded argument may have been counts, at both of its ends.
func TestRoundedArguments(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		// The scale that both scores have is 0.05 at least and 0.15 at most, so that the
		// smaller weight is 0.0013 at most.
		{"    published: [0.3, 0.7]\n    by: weights\n    of: {scores: [1, 2], temperature: 0.1}\n    rounded: [temperature]\n", "wrong"},
		{"    published: [0.0012, 0.9988]\n    by: weights\n    of: {scores: [1, 2], temperature: 0.1}\n    rounded: [temperature]\n", "holds to rounding"},
		// d_k^(1 − 2p) is 64^0.1 at p = 0.45, and 64^-0.1 at p = 0.55.
		{"    published: 1.5\n    by: variance_of_score\n    of: {d_k: 64, exponent: 0.5}\n    rounded: exponent\n", "holds to rounding"},
		{"    published: 1.6\n    by: variance_of_score\n    of: {d_k: 64, exponent: 0.5}\n    rounded: exponent\n", "wrong"},
		{"    published: 0.7\n    by: variance_of_score\n    of: {d_k: 64, exponent: 0.5}\n    rounded: exponent\n", "holds to rounding"},
		// q·k/8 goes beyond 0.9375 by chance 0.343, beyond 1.0625 by 0.286 (with 8 for √d_k).
		{"    published: 0.35\n    by: share_beyond\n    of: {d_k: 64, size: 8}\n", "wrong"},
		{"    published: 0.34\n    by: share_beyond\n    of: {d_k: 64, size: 8}\n    rounded: size\n", "holds to rounding"},
		{"    published: 0.29\n    by: share_beyond\n    of: {d_k: 64, size: 8}\n    rounded: size\n", "holds to rounding"},
		{"    published: 0.780965\n    by: expected_relative_trace\n    of: {keys: 8, logit_variance: 2}\n", "holds to rounding"},
		{"    published: 0.75\n    by: expected_relative_trace\n    of: {keys: 8, logit_variance: 2}\n", "wrong"},
		{"    published: 0.75\n    by: expected_relative_trace\n    of: {keys: 8, logit_variance: 2}\n    rounded: logit_variance\n", "holds to rounding"},
	} {
		if got := one(t, c.lines); got.Verdict != c.want {
			t.Errorf("%s: %s, %v [%v, %v]", c.lines, got.Verdict, got.Value, got.Lo, got.Hi)
		}
	}
	// Whichever weight is the greatest, if scores of 1 and 1.0 were rounded.
	_, from, err := claim.Call("winner_gradient", map[string][]string{"scores": {"1", "1.0", "0"}}, "scores")
	if err != nil || from[0].Lo > 0.2350 || from[0].Hi < 0.2499 {
		t.Errorf("%v, %v", from, err)
	}
}

// A rounded argument stays in its range, and what nothing is known of settles nothing.
func TestUnbounded(t *testing.T) {
	_, from, err := claim.Call("product_moments", map[string][]string{"q_mean": {"0"}, "q_sd": {"0.4"}}, "q_sd", "q_mean")
	if err != nil || from[1].Hi > 0.25+0.2025+1e-12 || from[1].Lo > 0.1226 {
		t.Errorf("%v, %v", from, err)
	}
	l, err := claim.Parse("l", []byte(small("    kind: closed-form\n    published: 3\n    by: stored_scores\n    of: {context: 2}\n")))
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		of   claim.Interval
		want string
	}{
		{claim.Interval{Lo: -inf, Hi: inf}, "not settled"}, {claim.Interval{Lo: 1, Hi: inf}, "not settled"}, {claim.Interval{Lo: math.NaN(), Hi: math.NaN()}, "not settled"},
		{claim.Interval{Lo: 3, Hi: 3}, "holds"}, {claim.Interval{Lo: 5, Hi: 6}, "wrong"},
	} {
		got := alone("s", l.Claims[0].WithInterval(c.of), nil)
		if _, err := json.Marshal(got); got.Verdict != c.want || err != nil {
			t.Errorf("%v: %s, want %s (%v)", c.of, got.Verdict, c.want, err)
		}
	}
}
