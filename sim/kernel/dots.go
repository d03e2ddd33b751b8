package kernel

import (
	"math"
	"slices"
)

// Products and weighted sums lane by lane: each lane has vectors of its own.
// Vectors lie as Vectors draws them, component t of vector j in row j·d + t.
// All is float32 without fused multiply-add, added in the order of the index.

// Dots adds to sums[j] the product of q and vector j of k, over components in
// their order. The dimension is len(q), and k holds len(sums) vectors.
func Dots(q, k, sums [][Width]float32) {
	if len(k) != len(q)*len(sums) {
		panic("kernel: Dots wants as many vectors as sums")
	}
	active.dots(q, k, sums)
}

// Ones is a vector of ones in every lane, of which the product with another is the sum
// of its components.
func Ones(d int) [][Width]float32 {
	var one [Width]float32
	for lane := range one {
		one[lane] = 1
	}
	return slices.Repeat([][Width]float32{one}, d)
}

// Differences writes k − base to diff, vector by vector, and adds the squares of
// the components of each to squares. The dimension is len(base). No argument may
// overlap another, except that diff may be k.
func Differences(k, base, diff, squares [][Width]float32) {
	if len(k) != len(base)*len(squares) || len(diff) != len(k) {
		panic("kernel: Differences wants as many vectors as squares, before and after")
	}
	active.differences(k, base, diff, squares)
}

// Blend adds to sum the sum of weights[j] times vector j of k. The dimension is
// len(sum).
func Blend(k, weights, sum [][Width]float32) {
	if len(k) != len(sum)*len(weights) {
		panic("kernel: Blend wants as many vectors as weights")
	}
	active.blend(k, weights, sum)
}

// Above adds to counts how many scores of each lane are greater than least.
func Above(scores [][Width]float32, least *[Width]float32, counts *[Width]int32) {
	active.above(scores, least, counts)
}

// Weights writes the e and e² that Rows sums, bit for bit: e = 0 for the
// greatest score, also where another equals it, and for those that count as
// nothing.
func Weights(scores [][Width]float32, p *Peaks, scale float64, e, e2 [][Width]float32) {
	if len(e) != len(scores) || len(e2) != len(scores) || !(scale >= 0 && scale <= 0x1p126) {
		panic("kernel: Weights wants a scale of 0 to 2¹²⁶ and as many weights as scores")
	}
	active.weights(scores, p, scale, e, e2)
}

// Where there are no rows there is no address to pass to assembly: the portable
// Go then has nothing to do, and does it.

// dots is Dots.
func (i implementation) dots(q, k, sums [][Width]float32) {
	if i.assembly == nil || len(k) == 0 {
		portableDots(q, k, sums)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.dots(&q[0][lane], &k[0][lane], len(q), len(sums), &sums[0][lane])
	}
}

// portableDots defines the bits of Dots.
func portableDots(q, k, sums [][Width]float32) {
	d := len(q)
	for j := range sums {
		sum := &sums[j]
		for t := range q {
			a, b := &q[t], &k[j*d+t]
			for i := range sum {
				sum[i] += float32(a[i] * b[i])
			}
		}
	}
}

// differences is Differences.
func (i implementation) differences(k, base, diff, squares [][Width]float32) {
	if i.assembly == nil || len(k) == 0 {
		portableDifferences(k, base, diff, squares)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.differences(&k[0][lane], &base[0][lane], &diff[0][lane], len(base), len(squares), &squares[0][lane])
	}
}

// portableDifferences defines the bits of Differences.
func portableDifferences(k, base, diff, squares [][Width]float32) {
	d := len(base)
	for j := range squares {
		square := &squares[j]
		for t := range base {
			a, b, out := &k[j*d+t], &base[t], &diff[j*d+t]
			for i := range square {
				x := a[i] - b[i]
				out[i] = x
				square[i] += float32(x * x)
			}
		}
	}
}

// blend is Blend.
func (i implementation) blend(k, weights, sum [][Width]float32) {
	if i.assembly == nil || len(k) == 0 {
		portableBlend(k, weights, sum)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.blend(&k[0][lane], &weights[0][lane], len(sum), len(weights), &sum[0][lane])
	}
}

// portableBlend defines the bits of Blend.
func portableBlend(k, weights, sum [][Width]float32) {
	d := len(sum)
	for j := range weights {
		w := &weights[j]
		for t := range sum {
			x, out := &k[j*d+t], &sum[t]
			for i := range out {
				out[i] += float32(w[i] * x[i])
			}
		}
	}
}

// above is Above.
func (i implementation) above(scores [][Width]float32, least *[Width]float32, counts *[Width]int32) {
	if i.assembly == nil || len(scores) == 0 {
		portableAbove(scores, least, counts)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.above(&scores[0][lane], len(scores), &least[lane], &counts[lane])
	}
}

// portableAbove defines what Above counts.
func portableAbove(scores [][Width]float32, least *[Width]float32, counts *[Width]int32) {
	for j := range scores {
		row := &scores[j]
		for i := range row {
			if row[i] > least[i] {
				counts[i]++
			}
		}
	}
}

// weights is Weights. The scale is handed on in units of log₂, negated for assembly.
func (i implementation) weights(scores [][Width]float32, p *Peaks, scale float64, e, e2 [][Width]float32) {
	binary := float32(scale * math.Log2E)
	if i.assembly == nil || len(scores) == 0 {
		portableWeights(scores, p, binary, e, e2)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.weights(&scores[0][lane], len(scores), &p.First[lane], -binary, &e[0][lane], &e2[0][lane])
	}
}

// portableWeights defines the bits of Weights; scale is in units of log₂.
func portableWeights(scores [][Width]float32, p *Peaks, scale float32, e, e2 [][Width]float32) {
	for j := range scores {
		for i, s := range scores[j] {
			x := float32((s - p.Second[i]) * scale)
			y := float32(0)
			if j != int(p.Index[i]) && x > sumCut {
				y = power2(x)
			}
			e[j][i], e2[j][i] = y, float32(y*y)
		}
	}
}
