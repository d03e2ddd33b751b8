package example

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strconv"
	"testing"

	"mcsim/sim/result"
)

// claim is a line of claims.json.
type claim struct {
	ID, Example, Step, Claim string
	Row, From                int
	Published, Recomputed    []float64
	Verdict                  string
}

// claims reads the ledger.
func claims(t *testing.T) (found []claim) {
	t.Helper()
	data, err := os.ReadFile("testdata/claims.json")
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err != nil || len(found) == 0 {
		t.Fatal(len(found), err)
	}
	return found
}

// stepOf finds a step of the examples of a document.
func stepOf(t *testing.T, id, name string) result.Step {
	t.Helper()
	doc := result.Document{Examples: All()}
	s, ok := doc.Example(id).Step(name)
	if !ok {
		t.Fatalf("%s has no step %s", id, name)
	}
	return s
}

// What is printed, what the inputs give and whether that agrees is what a ledger says that
// was worked out without this program.
func TestAgainstTheLedger(t *testing.T) {
	judged := 0
	for _, c := range claims(t) {
		s := stepOf(t, c.Example, c.Step)
		at := c.Row*s.Shape[1] + c.From
		wrong := false
		for i, want := range c.Recomputed {
			published, _ := read(s.Printed[at+i])
			in := 1.0 // the ledger has percentages of weights
			if c.Published[i] != published {
				in = 100
			}
			if math.Abs(published*in-c.Published[i]) > 1e-12 {
				t.Errorf("%s: %q is printed, %v in the ledger", c.ID, s.Printed[at+i], c.Published[i])
			}
			// The ledger has six digits.
			if got := float64(s.Value[at+i]) * in; math.Abs(got-want) > 1e-5*max(math.Abs(want), 1e-40) {
				t.Errorf("%s, number %d: %v, the ledger has %v", c.ID, i, got, want)
			}
			wrong = wrong || s.Digits[at+i] == "wrong"
			judged++
		}
		if wrong != (c.Verdict == "wrong") {
			t.Errorf("%s, %s: the digits are %q, the ledger says %q", c.ID, c.Claim, s.Digits, c.Verdict)
		}
	}
	printed := 0
	for _, e := range All() {
		for _, s := range e.Steps {
			for i, found := range s.Digits {
				if found != "" && s.Printed[i] != "" {
					printed++
				}
			}
		}
	}
	// Those that the ledger has not: the logits and, a second time, the weights of the three
	// tokens, and the logits of two rows of four scores.
	if want := judged + 9 + 9 + 8; printed != want {
		t.Errorf("%d printed numbers are judged, of which %d are known to be in the ledger or left to other tests", printed, want)
	}
}

// The queries and keys give the printed logits exactly, in decimal arithmetic.
func TestLogitsAreExact(t *testing.T) {
	decimal := func(x float64) *big.Rat {
		r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'f', -1, 64))
		if !ok {
			t.Fatal(x)
		}
		return r
	}
	for i := range tokens {
		for j := range tokens {
			sum := new(big.Rat)
			for c := range dk {
				sum.Add(sum, new(big.Rat).Mul(decimal(queries[i*dk+c]), decimal(keys[j*dk+c])))
			}
			want, _ := new(big.Rat).SetString(printedLogits[i*len(tokens)+j])
			if sum.Mul(sum, big.NewRat(1, 2)).Cmp(want) != 0 {
				t.Errorf("logit %d, %d is %s, printed %s", i, j, sum.FloatString(6), want.FloatString(2))
			}
		}
	}
}

// No weights and no blend of logits that round to the printed ones leave the bounds, and
// some come near each.
func TestBounds(t *testing.T) {
	b, of := weightBounds(printedLogits[:3]), blendBounds(printedLogits[:3])
	least, most := []float64{1, 1, 1}, []float64{0, 0, 0}
	logits, halves := readAll(printedLogits[:3])
	const fine = 20
	for n := range (fine + 1) * (fine + 1) * (fine + 1) {
		weights, sum := make([]float64, 3), 0.0
		for j, at := range []int{n % (fine + 1), n / (fine + 1) % (fine + 1), n / (fine + 1) / (fine + 1)} {
			weights[j] = math.Exp(logits[j] + halves[j]*(2*float64(at)/fine-1))
			sum += weights[j]
		}
		for j := range weights {
			weights[j] /= sum
			least[j], most[j] = min(least[j], weights[j]), max(most[j], weights[j])
		}
		for c, x := range blend(weights) {
			if x < of.lo[c]-1e-15 || x > of.hi[c]+1e-15 {
				t.Fatalf("component %d of a blend is %v, outside of [%v, %v]", c, x, of.lo[c], of.hi[c])
			}
		}
	}
	for j := range least {
		if math.Abs(least[j]-b.lo[j]) > 1e-15 || math.Abs(most[j]-b.hi[j]) > 1e-15 {
			t.Errorf("weight %d goes from %v to %v, its bounds are [%v, %v]", j, least[j], most[j], b.lo[j], b.hi[j])
		}
	}
}

// A printed number is right to its digits, within the rounding of its inputs, or wrong.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		value, lo, hi float64
		text, want    string
	}{
		{0.3841, 0.3841, 0.3841, "0.38", "right"},
		{0.3851, 0.3851, 0.3851, "0.38", "wrong"},
		{0.3851, 0.3849, 0.3853, "0.38", "within rounding"},
		{0.3749, 0.3745, 0.3752, "0.38", "within rounding"},
		{0.3749, 0.3745, 0.37499, "0.38", "wrong"},
		{-0.4, -0.4, -0.4, "-0.40", "right"},
		{0.2392, 0.2392, 0.2392, "24%", "right"},
		{0.2392, 0.2392, 0.2392, "24.0%", "wrong"},
		{4.5e-5, 4.5e-5, 4.5e-5, "0.005", "wrong"},
		{3.7e-44, 3.7e-44, 3.7e-44, "0.00", "right"},
		{22.6274, 22.6274, 22.6274, "23", "right"},
	} {
		if got := judge(c.value, c.lo, c.hi, c.text); got != c.want {
			t.Errorf("%v within [%v, %v] beside %q is %s, want %s", c.value, c.lo, c.hi, c.text, got, c.want)
		}
	}
}
