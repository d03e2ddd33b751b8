package inspect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/result"
)

// world is texts of tokens that all heads see.
type world struct {
	texts, heads, rows, d int
	phi                   float64 // correlation of neighbouring tokens
}

// parts measures heads that project the same tokens, and returns the variance of q·k over d_k that
// their weights give: |W_QᵀW_K|² of the tokens' covariance 1.
func (w world) parts(t *testing.T, r *rand.Rand, o Options) (parts []Part, truth float64) {
	t.Helper()
	model := w.heads * w.d
	weights := make([]Vectors, 2*w.heads)
	for i := range weights {
		weights[i] = drawn(r, w.d, model, normal)
	}
	for h := range w.heads {
		for a := range w.d {
			for b := range w.d {
				// |W_QᵀW_K|² is the sum of products of the entries of W_QW_Qᵀ and W_KW_Kᵀ.
				q, k := weights[2*h], weights[2*h+1]
				truth += Dot(q.Row(a), q.Row(b)) * Dot(k.Row(a), k.Row(b)) / float64(model*model*w.d*w.heads)
			}
		}
	}
	project := func(x, by Vectors) Vectors {
		v := Vectors{w.rows, w.d, make([]float64, w.rows*w.d)}
		for i := range w.rows {
			for c := range w.d {
				v.Row(i)[c] = Dot(x.Row(i), by.Row(c)) / math.Sqrt(float64(model))
			}
		}
		return v
	}
	for range w.texts {
		x := drawn(r, w.rows, model, normal)
		for i := 1; i < w.rows; i++ {
			for c := range model {
				x.Row(i)[c] = w.phi*x.Row(i - 1)[c] + math.Sqrt(1-w.phi*w.phi)*x.Row(i)[c]
			}
		}
		for h := range w.heads {
			parts = append(parts, measured(t, project(x, weights[2*h]), project(x, weights[2*h+1]), o))
		}
	}
	return parts, truth
}

// rates are the parts of draws in which a gate around the truth decides, and in which the interval
// that is given holds the truth.
type rates struct{ pass, fail, given, held float64 }

// simulateGate judges drawn worlds by a gate of the standard deviation of the heads' logits.
func (w world) simulateGate(t *testing.T, draws int) (out rates) {
	t.Helper()
	r := rand.New(rand.NewPCG(61, 62))
	o := Options{Scale: 1 / math.Sqrt(float64(w.d)), Workers: 1}
	for range draws {
		parts, truth := w.parts(t, r, o)
		s := Summarise(parts, w.heads, o)
		j := s.Judge(Gate{Lo: 0.9, Hi: 1.1, Alpha: 1e-3, Beta: 1e-3}, nil)
		each := 1 / float64(draws)
		switch j.Verdict {
		case result.Pass:
			out.pass += each
		case result.Fail:
			out.fail += each
		}
		if v := s.All.Ratio; v.SE.Present() {
			out.given += each
			if float64(v.Lo) <= truth && truth <= float64(v.Hi) {
				out.held += each
			}
		}
	}
	return out
}

// checkIntervals simulates worlds: where an interval is given it holds the truth as often as it
// says, and a gate around the truth fails no more often than its rate.
func checkIntervals(t *testing.T, draws int, worlds []world) {
	t.Helper()
	for _, w := range worlds {
		t.Run(fmt.Sprintf("%+v", w), func(t *testing.T) {
			got := w.simulateGate(t, draws)
			t.Logf("%+v", got)
			n := float64(draws)
			room := 4.3 * math.Sqrt(1e-3*(1-1e-3)/n)
			if got.fail > 1e-3+max(room, 2/n) {
				t.Errorf("a gate whose truth is its middle fails in %.3f of %d draws", got.fail, draws)
			}
			miss := 1 - got.held/max(got.given, 1/n)
			if given := n * got.given; given >= 50 && miss > 0.05+4.3*math.Sqrt(0.05*0.95/given) {
				t.Errorf("given intervals miss the truth in %.3f of %.0f", miss, given)
			}
			if w.phi > 0.5 && w.texts < minBlocks && got.given > 2/n {
				t.Errorf("intervals of dependent rows of few texts are given in %.3f", got.given)
			}
			if w.phi == 0 && got.given < 1-2/n-0.001 {
				t.Errorf("intervals of independent rows are given in %.3f", got.given)
			}
		})
	}
}

// TestIntervals is a short simulation; its long form has more draws and worlds.
func TestIntervals(t *testing.T) {
	checkIntervals(t, 60, []world{
		{1, 12, 64, 16, 0.9}, {1, 12, 64, 16, 0}, {1, 2, 64, 16, 0}, {4, 2, 32, 16, 0.9}, {12, 2, 32, 16, 0.9},
	})
}
