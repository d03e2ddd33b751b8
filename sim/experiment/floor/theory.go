package floor

import (
	"math"
	"sync"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment/precision"
)

// Rounding has means over values v of variance 1 and their stored values v̂.
type Rounding struct{ Error, Square, Product float64 } // E (v̂ − v)², E v̂² and E v v̂

// CosineDistance returns the limit, for many keys and outputs, of 1 − cosine if only values are
// rounded. Then the errors of values are independent of their weights and, by symmetry,
// uncorrelated. So the cosine of the outputs is the cosine of v and v̂.
func (r Rounding) CosineDistance() float64 { return 1 - r.Product/math.Sqrt(r.Square) }

// roundings caches the results of [Format.Rounding], which take up to a tenth of a second.
var roundings sync.Map

// Rounding returns the means for normal values of the given number of keys with d components. It
// returns NaN if blocks of different lengths occur. The means are integrals over the largest
// magnitudes a of a tensor and m of a block, whose distributions are powers of that of |v|. Given
// m, the means are sums over the numbers of the format.
func (f *Format) Rounding(keys, d int) Rounding {
	if f.block > 0 && keys > f.block && keys%f.block != 0 {
		return Rounding{math.NaN(), math.NaN(), math.NaN()}
	}
	type point struct{ format, keys, values any }
	size := point{f.Name, min(keys, f.block), 0}
	if f.block == 0 || f.scaling == twoLevels {
		size.values = keys * d
	}
	if r, ok := roundings.Load(size); ok {
		return r.(Rounding)
	}
	var r Rounding
	values, block := float64(keys*d), float64(min(f.block, keys))
	switch {
	case f.scaling == unscaled:
		f.addCells(&r, 1, 1, maxNormal)
	case f.block == 0:
		f.addBlocks(&r, 1, values, maxNormal)
	case f.scaling == twoLevels:
		integrate(0, maxNormal, func(a, width float64) {
			weight := float64(width * maxDensity(a, values))
			if weight < minWeight {
				return
			}
			f.addBlock(&r, float64(weight*block)/values, block, a, a) // the block of the largest number
			inside := elementary.Pow(probability(a), -block)          // other blocks: m < a
			f.addBlocks(&r, float64(weight*inside*(1-block/values)), block, a)
		})
	default:
		f.addBlocks(&r, 1, block, maxNormal)
	}
	roundings.Store(size, r)
	return r
}

// maxNormal is a number that normal numbers exceed with a probability of 10⁻¹⁸, and minWeight the
// weight of nodes of a quadrature that do not matter.
const maxNormal, minWeight = 9, 1e-13

// add adds a stored value for v, with a weight.
func (r *Rounding) add(weight, v, stored float64) {
	difference := float64(stored) - float64(v)
	r.Error += float64(weight * float64(difference*difference))
	r.Square += float64(weight * float64(stored*stored))
	r.Product += float64(weight * float64(stored*v))
}

// addBlocks adds blocks of n values with a largest magnitude below a, that of the tensor. It
// integrates between the magnitudes at which the scale jumps.
func (f *Format) addBlocks(r *Rounding, factor, n, a float64) {
	addPiece := func(low, high float64) {
		integrate(low, min(high, a), func(m, width float64) {
			weight := float64(factor * width * maxDensity(m, n))
			if weight >= minWeight {
				f.addBlock(r, weight, n, m, a)
			}
		})
	}
	if f.scaling == twoLevels {
		forNumbers(e4m3, a/e4m3.Max, a, func(_, low, high float64) { addPiece(low, high) })
		return
	}
	for low := 0x1p-30; low < a; low *= 2 { // also between the numbers to which m itself rounds
		forNumbers(f.element, f.scale(low, a), min(2*low, a), func(_, start, end float64) {
			if end > low {
				addPiece(max(start, low), end)
			}
		})
	}
}

// addBlock adds a block of n values with the largest magnitude m, in a tensor with a: one value of
// this magnitude, and n − 1 smaller ones.
func (f *Format) addBlock(r *Rounding, weight, n, m, a float64) {
	scale := f.scale(m, a)
	if !(scale > 0) {
		r.add(weight, m, 0)
		return
	}
	r.add(weight/n, m, scale*f.element.Round(m/scale))
	f.addCells(r, float64(weight*(1-1/n))/probability(m), scale, m)
}

// addCells adds the values whose magnitude is below limit, number by number of the format.
func (f *Format) addCells(r *Rounding, factor, scale, limit float64) {
	forNumbers(f.element, scale, limit, func(stored, low, high float64) {
		integrate(low, high, func(v, width float64) { r.add(factor*width*maxDensity(v, 1), v, stored) })
	})
}

// forNumbers calls visit with each number of a format that magnitudes below limit round to, times
// the scale, and with the limits of these magnitudes.
func forNumbers(f *precision.Format, scale, limit float64, visit func(number, low, high float64)) {
	for number, low := 0.0, 0.0; low < limit; {
		_, exponent := math.Frexp(number)
		step := math.Ldexp(1, max(exponent-1, f.MinExponent)-f.Digits+1)
		if number == 0 {
			step = math.Ldexp(1, f.MinExponent-f.Digits+1)
		}
		high := limit
		if number < f.Max {
			high = min(limit, float64((number+float64(step/2))*scale))
		}
		visit(float64(number*scale), low, high)
		number, low = number+step, high
	}
}

// probability returns P(|v| < x) for a normal v.
func probability(x float64) float64 { return 1 - elementary.Erfc(x/math.Sqrt2) }

// maxDensity returns the density at x > 0 of the largest of n normal magnitudes.
func maxDensity(x, n float64) float64 {
	density := float64(math.Sqrt(2/math.Pi) * elementary.Exp(float64(-x*x)/2))
	if n == 1 {
		return density
	}
	return float64(n * density * elementary.Pow(probability(x), n-1))
}

// gauss has the positive nodes and the weights of the Gauss–Legendre rule of 8 points.
var gauss = [4][2]float64{
	{0.18343464249564980494, 0.36268378337836198297}, {0.52553240991632898582, 0.31370664587788728734},
	{0.79666647741362673959, 0.22238103445337447054}, {0.96028985649753623168, 0.10122853629037625915},
}

// integrate calls add with each node of a rule for the integral from low to high, and its weight.
// Panels are at most ¼ wide.
func integrate(low, high float64, add func(x, width float64)) {
	panels := math.Ceil((high - low) * 4)
	half := (high - low) / (2 * panels)
	for i := 0.0; i < panels; i++ {
		middle := low + float64(half*float64(2*i+1))
		for _, node := range gauss {
			offset, width := float64(half*node[0]), float64(half*node[1])
			add(middle-offset, width)
			add(middle+offset, width)
		}
	}
}
