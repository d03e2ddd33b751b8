package theory

import (
	"math"
	"sync"

	"mcsim/sim/elementary"
)

// AlignedRow holds the expectations of what softmax makes of one key that is
// aligned with the query by ρ among n − 1 that are independent of it.
type AlignedRow struct {
	Weight       float64 // of the aligned key
	WeightSquare float64 // the mean of its square
	Survival     float64 // R
	First        float64 // chance that its score is the greatest
}

// alignedPoint is what an AlignedRow depends on.
type alignedPoint struct {
	keys, d    int
	rho, scale float64
}

var (
	alignedRows   memo[alignedPoint, AlignedRow]
	alignedFirsts memo[alignedPoint, float64] // of points without a scale, which does not change the order
)

// AlignedSoftmax is the AlignedRow of n ≥ 2 logits scale·q·k_j, all components
// standard normal. Given |q| = r the logit of the aligned key has the distribution
// N(ρ·scale·r², (1−ρ²)scale²r²), and the others N(0, scale²r²), all
// independent. It is good to 1e-7.
func AlignedSoftmax(keys, d int, rho, scale float64) AlignedRow {
	at := alignedPoint{keys, d, rho, scale}
	return alignedRows.of(at, at.row)
}

// row is the mean over lengths of the query.
func (a alignedPoint) row() AlignedRow {
	var row AlignedRow
	var total float64
	OverLengths(a.d, lengthStep(a.d), func(weight, r float64) {
		given := a.given(float64(math.Sqrt(float64(a.d)) * r))
		row.Weight += float64(weight * given.Weight)
		row.WeightSquare += float64(weight * given.WeightSquare)
		row.Survival += float64(weight * given.Survival)
		total += weight
	})
	unscaled := alignedPoint{keys: a.keys, d: a.d, rho: a.rho}
	return AlignedRow{row.Weight / total, row.WeightSquare / total, row.Survival / total, alignedFirsts.of(unscaled, unscaled.firsts)}
}

// firsts is the First of every scale.
func (a alignedPoint) firsts() float64 {
	rest := math.Sqrt(1 - square(a.rho))
	var first, total float64
	OverLengths(a.d, lengthStep(a.d), func(weight, r float64) {
		first += float64(weight * a.first(float64(math.Sqrt(float64(a.d))*r), rest))
		total += weight
	})
	return first / total
}

// lengthStep is that of the sum over lengths.
func lengthStep(d int) float64 { return min(0.25, 0.75/math.Sqrt(float64(2*d))) }

// OverLengths calls f with values of |q|/√d of vectors of d standard normal
// components, each with its weight but for a factor: the trapezoidal rule in
// v = ln(|q|/√d), of the density exp(d(v − (e^{2v} − 1)/2)). Toward −∞ that falls like
// e^{dv} alone: it ends where nothing is left of 1e-11 of what falls like the square of a
// length.
func OverLengths(d int, step float64, f func(weight, r float64)) {
	n := float64(d)
	outward(0, func(i int) bool {
		v := float64(float64(i) * step)
		p := float64(n * (v - float64(elementary.Expm1(2*v)/2)))
		if p < -25 {
			return false
		}
		f(elementary.Exp(p), elementary.Exp(v))
		return true
	})
}

// given is the row for a query of length r, without First.
func (a alignedPoint) given(r float64) AlignedRow {
	rest := math.Sqrt(1 - square(a.rho))
	sigma := float64(a.scale * r)
	var row AlignedRow
	mean := float64(a.rho * float64(sigma*r))
	own := newLogitMoments(float64(sigma * rest))

	// 1/Z² is an integral over u, as in softmaxSums. The sum needs to begin only
	// where no logit is likely to be so small, and ends where none is so great.
	n := float64(a.keys)
	const step = 0.4
	low := min(0, mean) - float64(9*sigma) - 4
	high := max(0, mean) + float64(9*sigma) + elementary.Log(n) + 20
	others := lattices.of([2]float64{sigma, low}, func() *lattice { return &lattice{} })
	moments := sync.OnceValue(func() *logitMoments { return newLogitMoments(sigma) })
	var weight, collision, own2 float64
	for i, u := 0, low; u < high; i, u = i+1, u+step {
		k := others.at(i, func() kernelSums { return moments().at(u) })
		two := power(k[0], a.keys-2)
		if two < 1e-12 {
			continue
		}
		q := k // where ρ is 0
		if a.rho != 0 {
			phi := own.at(u - mean)
			q = [3]float64(phi[:])
		}
		if u > high-16 && q[1]+float64(n*k[1]) < 1e-9 {
			break
		}
		weight += float64(float64(q[1]*two) * k[0])
		own2 += float64(float64(q[2]*two) * k[0])
		collision += float64(two * (float64(q[2]*k[0]) + float64(float64((n-1)*k[2])*q[0])))
	}
	row.Weight, row.WeightSquare = float64(step*weight), float64(step*own2)
	row.Survival = (1 - float64(step*collision)) / (1 - 1/n)
	return row
}

// lattice holds φ_0, φ_1 and φ_2 of logits of N(0, σ²) at the points of given, which do not depend on ρ ≥ 0 and
// the number of keys.
type lattice struct {
	sync.Mutex
	few [][3]float64
}

var lattices memo[[2]float64, *lattice] // by σ and the first point

// at are those at the i-th point, from 0 on.
func (l *lattice) at(i int, work func() kernelSums) [3]float64 {
	l.Lock()
	defer l.Unlock()
	if i == len(l.few) {
		phi := work()
		l.few = append(l.few, [3]float64(phi[:]))
	}
	return l.few[i]
}

// first is the chance that ρr + √(1−ρ²)z exceeds n − 1 other normal numbers.
func (a alignedPoint) first(r, rest float64) float64 {
	const step = 0.125
	var sum float64
	for i := -72; i <= 72; i++ {
		z := float64(float64(i) * step)
		sum += float64(density(z) * power(normalBelow(float64(a.rho*r)+float64(rest*z)), a.keys-1))
	}
	return float64(step*sum) / sqrt2Pi
}
