package inspect

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/result"
)

// spread is a running mean with the squares about it, by Welford's method.
type spread struct{ n, mean, squares float64 }

func (s *spread) add(x float64) {
	s.n++
	d := x - s.mean
	s.mean += d / s.n
	s.squares += float64(d * (x - s.mean))
}

// variance is over all, not a guess at more than these.
func (s *spread) variance() float64 { return s.squares / s.n }

// componentsOf goes over all numbers of a tensor that was made of an array.
func componentsOf(t attention.Tensor) Components {
	var all spread
	for _, x := range t.Data {
		all.add(x)
	}
	return Components{result.Number(all.mean), result.Number(all.variance())}
}

// scoresOf goes over the pairs that the mask allows.
func scoresOf(in attention.Input, out attention.Output) Scores {
	var all, within, cosines spread
	for b := range in.Q.Batches {
		for h := range in.Q.Heads {
			shared := in.KeyHead(h)
			lengths := norms(in.K, b, shared)
			for i := range in.Q.Rows {
				forbidden := in.Mask.Forbids(b, h, i, in.K.Rows)
				length := norm(in.Q.Row(b, h, i))
				var row spread
				for j, s := range out.Scores.Row(b, h, i) {
					if forbidden[j] {
						continue
					}
					all.add(s)
					row.add(s)
					if product := float64(length * lengths[j]); product > 0 {
						cosines.add(s / product)
					}
				}
				if row.n > 1 {
					within.add(row.variance())
				}
			}
		}
	}
	s := Scores{Pairs: int(all.n), Mean: result.Number(all.mean), Variance: result.Number(all.variance()),
		OverDimension: result.Number(all.variance() / float64(in.Q.Columns)), Within: result.Absent(), Cosine: result.Absent()}
	if within.n > 0 {
		s.Within = result.Number(within.mean)
	}
	if cosines.n > 0 {
		s.Cosine = result.Number(cosines.mean)
	}
	return s
}

// norms are the lengths of the rows of a head.
func norms(t attention.Tensor, b, h int) (out []float64) {
	for i := range t.Rows {
		out = append(out, norm(t.Row(b, h, i)))
	}
	return out
}

// norm is the length of a vector.
func norm(x []float64) float64 {
	sum := 0.0
	for _, a := range x {
		sum += float64(a * a)
	}
	return math.Sqrt(sum)
}
