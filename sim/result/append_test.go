package result

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// What is appended of a row, and of any number, is what encoding/json writes of one that it knows nothing of.
func TestAppended(t *testing.T) {
	type bare Estimate
	for _, e := range append(document().Estimates, Estimate{}, Estimate{
		Cell: "a/\"b\\\"", Quantity: "<é&\u2028\x01\xff>", N: -3, Params: Params{}, Value: Absent(), Resolution: 1e-300,
	}, Estimate{Params: Params{"z": "σ", "a": 0.1, "b<": 1e21}}) {
		want, err := json.Marshal(bare(e))
		if got, ok := e.appendJSON(nil); err != nil || !ok || !bytes.Equal(got, want) {
			t.Errorf("appended %s, want %s", got, want)
		}
	}
	for _, wrong := range []any{math.NaN(), 1, []any{}} {
		if _, ok := (&Estimate{Params: Params{"x": wrong}}).appendJSON(nil); ok {
			t.Errorf("the parameter %v is appended", wrong)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		x := math.Float64frombits(r.Uint64())
		kinds := []float64{x, r.NormFloat64(), math.Ldexp(r.Float64(), r.IntN(160)-80), float64(r.IntN(1000))}
		if x = kinds[r.IntN(len(kinds))]; !Number(x).Present() {
			continue
		}
		want, err := json.Marshal(x)
		if got := Number(x).appendJSON(nil); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("appended %s, want %s", got, want)
		}
		var n Number
		if err := json.Unmarshal(want, &n); err != nil || float64(n) != x {
			t.Fatalf("%v is read as %v: %v", x, n, err)
		}
	}
}
