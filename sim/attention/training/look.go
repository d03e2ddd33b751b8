package training

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
)

// Look is what attention of one seed looks like. All rows of a seed count; where a number
// has two of them, they are its median and its root mean square over the rows.
type Look struct {
	Logit         float64 // the largest of all in size
	Entropy       float64 // over ln of the number of keys, on average
	RelativeTrace Pair    // R
	KeyGradient   Pair    // ‖∂α/∂K‖_F, 0 where the rule is no product
	Cosine        float64 // root mean square of that of a query and the key it asks for
}

// Pair is the median and the root mean square.
type Pair struct{ Median, Root float64 }

// pairOf sorts numbers.
func pairOf(x []float64) Pair {
	var squares float64
	for _, v := range x {
		squares += float64(v * v)
	}
	slices.Sort(x)
	return Pair{(x[(len(x)-1)/2] + x[len(x)/2]) / 2, math.Sqrt(squares / float64(len(x)))}
}

// look writes what attention looks like now, of seeds that have not diverged.
func (n *Network) look(records []Record, of func(*Record) *Look) {
	q, k := project(n.asking, n.query), project(n.seen, n.key)
	for l := range records {
		if !records[l].Blown {
			*of(&records[l]) = n.lookAt(l, q, k)
		}
	}
}

// project is the rows of a matrix times weights.
func project(x, w *Matrix) *Matrix {
	var t Tape
	out := t.Product(x, w)
	t.Forward()
	return out
}

// lookAt is what attention of one seed looks like, of its queries and keys.
func (n *Network) lookAt(l int, q, k *Matrix) Look {
	var at Look
	relativeTrace, keyGradient := make([]float64, Sequences), make([]float64, Sequences)
	product := n.Rule.Variant != Normalised && n.Rule.Variant != Additive
	scale := n.Rule.Scale(n.Dimension)
	var squares float64
	for b := range Sequences {
		for _, s := range n.logits.Row(b) {
			at.Logit = max(at.Logit, math.Abs(s[l]))
		}
		row := rowOf(n.weights.Row(b), l)
		at.Entropy += float64(row.entropy / Sequences)
		relativeTrace[b] = row.relativeTrace
		query, key := q.Row(b), k.Row(b*Keys+Asked(b))
		size := dot(query, query, l)
		if product {
			keyGradient[b] = float64(float64(scale*math.Sqrt(size)) * row.jacobian)
		}
		score := dot(query, key, l)
		squares += float64(score*score) / float64(size*dot(key, key, l))
	}
	at.RelativeTrace, at.KeyGradient = pairOf(relativeTrace), pairOf(keyGradient)
	at.Cosine = math.Sqrt(squares / Sequences)
	return at
}

// dot is the product of two vectors of one seed.
func dot(a, b []Number, l int) (sum float64) {
	for i := range a {
		sum += float64(a[i][l] * b[i][l])
	}
	return sum
}

// weighed is what the weights of a row say.
type weighed struct{ entropy, relativeTrace, jacobian float64 }

// rowOf is what one row says: its entropy over ln n, R = (1 − Σα²)/(1 − 1/n), and ‖J‖_F with
// ‖J‖_F² = Σα²(1−α)² + Σ_{i≠j} α_i²α_j². What the greatest weight leaves is the sum of the
// others, so that nothing is a difference of nearly equal numbers.
func rowOf(weights []Number, l int) (w weighed) {
	top := 0
	for j := range weights {
		if weights[j][l] > weights[top][l] {
			top = j
		}
	}
	var rest, all float64
	for j := range weights {
		all += float64(weights[j][l] * weights[j][l])
		if j != top {
			rest += weights[j][l]
		}
	}
	var trace, squares, entropy float64
	for j := range weights {
		a := weights[j][l]
		left := 1 - a
		if j == top {
			left = rest
		}
		trace += float64(a * left)
		squares += float64(float64(a*left)*float64(a*left)) + float64(float64(a*a)*max(0, all-float64(a*a)))
		switch {
		case j == top:
			entropy -= float64(a * elementary.Log1p(-rest))
		case a > 0:
			entropy -= float64(a * elementary.Log(a))
		}
	}
	n := float64(len(weights))
	return weighed{entropy / elementary.Log(n), trace / (1 - 1/n), math.Sqrt(squares)}
}
