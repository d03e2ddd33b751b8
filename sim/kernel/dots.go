package kernel

import (
	"math"
	"slices"
)

// The functions of this file compute products and weighted sums lane by lane: each lane has its own
// vectors. Component t of vector j is at index j·d + t. The arithmetic is float32 without fused
// multiply-add. Sums are in the order of their index.

// Dots adds the scalar product of q and vector j of k to sums[j], component by component. The
// dimension is len(q), and k has len(sums) vectors.
func Dots(q, k, sums [][Width]float32) {
	if len(k) != len(q)*len(sums) {
		panic("kernel: Dots needs as many vectors as sums")
	}
	active.dots(q, k, sums)
}

// Ones returns a vector of ones in every lane. Its product with another vector is the sum of the
// components.
func Ones(d int) [][Width]float32 {
	var one [Width]float32
	for lane := range one {
		one[lane] = 1
	}
	return slices.Repeat([][Width]float32{one}, d)
}

// Differences writes the difference of vector j of k and base to vector j of diff, and adds the sum
// of its squared components to squares[j]. The dimension is len(base). diff may be k; otherwise no
// argument may overlap another.
func Differences(k, base, diff, squares [][Width]float32) {
	if len(k) != len(base)*len(squares) || len(diff) != len(k) {
		panic("kernel: Differences needs as many vectors in k and diff as squares")
	}
	active.differences(k, base, diff, squares)
}

// Blend adds Σⱼ weights[j]·(vector j of k) to sum. The dimension is len(sum).
func Blend(k, weights, sum [][Width]float32) {
	if len(k) != len(sum)*len(weights) {
		panic("kernel: Blend needs as many vectors as weights")
	}
	active.blend(k, weights, sum)
}

// CountAbove adds the number of scores of each lane that are greater than its threshold to counts.
func CountAbove(scores [][Width]float32, threshold *[Width]float32, counts *[Width]int32) {
	active.countAbove(scores, threshold, counts)
}

// Weights writes the e and e² that SumRows sums. They have the same bits. e is 0 for the key at
// Index and for scores below the cut (see sumCut).
func Weights(scores [][Width]float32, p *Peaks, scale float64, e, e2 [][Width]float32) {
	if len(e) != len(scores) || len(e2) != len(scores) || !(scale >= 0 && scale <= 0x1p126) {
		panic("kernel: Weights needs a scale in [0, 2¹²⁶] and as many weights as scores")
	}
	active.weights(scores, p, scale, e, e2)
}

// If there are no rows, there is no address that could be passed to assembly. The following methods
// then call portable Go, which does nothing.

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
			a, b, dst := &k[j*d+t], &base[t], &diff[j*d+t]
			for i := range square {
				x := a[i] - b[i]
				dst[i] = x
				square[i] += float32(x * x)
			}
		}
	}
}

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
			x, dst := &k[j*d+t], &sum[t]
			for i := range dst {
				dst[i] += float32(w[i] * x[i])
			}
		}
	}
}

func (i implementation) countAbove(scores [][Width]float32, threshold *[Width]float32, counts *[Width]int32) {
	if i.assembly == nil || len(scores) == 0 {
		portableCountAbove(scores, threshold, counts)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.above(&scores[0][lane], len(scores), &threshold[lane], &counts[lane])
	}
}

// portableCountAbove defines the results of CountAbove.
func portableCountAbove(scores [][Width]float32, threshold *[Width]float32, counts *[Width]int32) {
	for j := range scores {
		row := &scores[j]
		for i := range row {
			if row[i] > threshold[i] {
				counts[i]++
			}
		}
	}
}

// weights implements Weights. Portable Go takes scale·log₂ e, and assembly its negative.
func (i implementation) weights(scores [][Width]float32, p *Peaks, scale float64, e, e2 [][Width]float32) {
	scaleLog2 := float32(scale * math.Log2E)
	if i.assembly == nil || len(scores) == 0 {
		portableWeights(scores, p, scaleLog2, e, e2)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.weights(&scores[0][lane], len(scores), &p.First[lane], -scaleLog2, &e[0][lane], &e2[0][lane])
	}
}

// portableWeights defines the bits of Weights; scale is the scale of Weights times log₂ e.
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
