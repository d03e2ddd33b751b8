package attention

// Gradients are the derivatives of a loss by what attention was computed of, each of the
// shape of that. Scores is the derivative by QKᵀ·scale
// + mask.
type Gradients struct{ Q, K, V, Scores Tensor }

// Backward carries the derivatives of a loss by the blend, which must have its shape, back
// to the queries, keys and values. out must be what Forward made of in.
func Backward(in Input, out Output, blend Tensor) Gradients {
	g := Gradients{Q: like(in.Q), K: like(in.K), V: like(in.V), Scores: like(out.Weights)}
	for b := range in.Q.Batches {
		for h := range in.Q.Heads {
			for i := range in.Q.Rows {
				in.rowBack(&g, out.Weights.Row(b, h, i), blend.Row(b, h, i), b, h, i)
			}
		}
	}
	return g
}

// like is a tensor of zeros of the same sizes.
func like(t Tensor) Tensor { return NewTensor(t.Batches, t.Heads, t.Rows, t.Columns) }

// rowBack adds what one query has to do with the gradients. With g the derivative by the
// blend, that by weight α_j is g·v_j, and that by logit j is α_j(g·v_j − Σ_l α_l g·v_l):
// the Jacobian diag(α) − ααᵀ of softmax times it.
func (in *Input) rowBack(g *Gradients, weights, blend []float64, b, h, i int) {
	shared := in.KeyHead(h)
	scores := g.Scores.Row(b, h, i)
	mean := 0.0
	for j, w := range weights {
		if w == 0 {
			continue // a forbidden key
		}
		addTimes(g.V.Row(b, shared, j), w, blend)
		scores[j] = dot(blend, in.V.Row(b, shared, j))
		mean += float64(w * scores[j])
	}
	query, ofQuery := in.Q.Row(b, h, i), g.Q.Row(b, h, i)
	for j, w := range weights {
		scores[j] = float64(w * (scores[j] - mean))
		if scores[j] == 0 {
			continue
		}
		by := float64(scores[j] * in.Scale)
		addTimes(ofQuery, by, in.K.Row(b, shared, j))
		addTimes(g.K.Row(b, shared, j), by, query)
	}
}
