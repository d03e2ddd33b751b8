package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// newNumber returns a number of ordinary size or a difficult one: a zero of either sign, a
// subnormal number, or a number whose square is subnormal.
func newNumber(rng *rand.Rand) float32 {
	switch rng.IntN(8) {
	case 0:
		return float32(math.Copysign(0, rng.Float64()-0.5))
	case 1:
		return math.Float32frombits(rng.Uint32N(1<<23) | rng.Uint32()<<31)
	case 2:
		return float32(1e-22 * rng.NormFloat64())
	}
	return float32(rng.NormFloat64())
}

func newNormal(rng *rand.Rand) float32 { return float32(rng.NormFloat64()) }

func newRows(rng *rand.Rand, n int, number func(*rand.Rand) float32) [][Width]float32 {
	rows := make([][Width]float32, n)
	for i := range rows {
		for lane := range rows[i] {
			rows[i][lane] = number(rng)
		}
	}
	return rows
}

// padRows returns a copy of rows with a row of zeros before and after it. If a function writes out
// of the bounds of inner, these rows change.
func padRows(rows [][Width]float32) (padded, inner [][Width]float32) {
	padded = slices.Concat(make([][Width]float32, 1), rows, make([][Width]float32, 1))
	return padded, padded[1 : len(padded)-1]
}

// laneCase has arguments for one call of each function of dots.go.
type laneCase struct {
	d, n                        int
	q, k, weights, scores, sums [][Width]float32 // with d, n·d, n, n and n rows
	sum                         [][Width]float32 // d rows
	threshold                   [Width]float32
	scale                       float64
}

func newLaneCase(rng *rand.Rand, d, n int) laneCase {
	infinite := func(rng *rand.Rand) float32 {
		if rng.IntN(4) == 0 {
			return float32(math.Inf(1 - 2*rng.IntN(2)))
		}
		return newNumber(rng)
	}
	c := laneCase{d: d, n: n, scale: 4 * rng.Float64()}
	c.q, c.sum = newRows(rng, d, newNumber), newRows(rng, d, newNumber)
	c.k = newRows(rng, n*d, newNumber)
	c.weights, c.sums = newRows(rng, n, newNumber), newRows(rng, n, newNumber)
	c.scores = newRows(rng, n, infinite)
	c.threshold = newRows(rng, 1, infinite)[0]
	for j := range c.scores {
		lane := rng.IntN(Width)
		c.scores[j][lane] = c.threshold[lane] // a tie
	}
	return c
}

// compute calls the functions of an implementation and returns the padded rows that they wrote, by
// name.
func (c *laneCase) compute(k implementation) map[string][][Width]float32 {
	results := map[string][][Width]float32{}
	newOutput := func(name string, rows [][Width]float32) [][Width]float32 {
		padded, inner := padRows(rows)
		results[name] = padded
		return inner
	}
	k.dots(c.q, c.k, newOutput("Dots", c.sums))
	k.differences(c.k, c.q, newOutput("Differences", c.k), newOutput("squares of Differences", c.sums))
	inPlace := newOutput("Differences in place", c.k)
	k.differences(inPlace, c.q, inPlace, newOutput("squares in place", c.sums))
	k.blend(c.k, c.weights, newOutput("Blend", c.sum))

	counts := [Width]int32{3: -7, 5: 1 << 20}
	k.countAbove(c.scores, &c.threshold, &counts)
	above := newOutput("Above", make([][Width]float32, 1))
	for lane, count := range counts {
		above[0][lane] = float32(count)
	}

	var p Peaks
	k.findPeaks(c.weights, &p)
	k.weights(c.weights, &p, c.scale, newOutput("Weights", c.weights), newOutput("squares of Weights", c.weights))
	return results
}

func haveSameBits(a, b [][Width]float32) bool {
	return slices.EqualFunc(a, b, func(x, y [Width]float32) bool {
		for lane := range x {
			if math.Float32bits(x[lane]) != math.Float32bits(y[lane]) {
				return false
			}
		}
		return true
	})
}

// newSizes returns pairs of a dimension and a number of vectors: all small ones, for which assembly
// has separate code, and some random ones.
func newSizes(rng *rand.Rand) [][2]int {
	var sizes [][2]int
	for _, d := range []int{1, 2, 3, 4, 7, 8, 9, 15, 16} {
		for n := 1; n <= 17; n++ {
			sizes = append(sizes, [2]int{d, n})
		}
	}
	for range 100 {
		sizes = append(sizes, [2]int{1 + rng.IntN(70), 1 + rng.IntN(40)})
	}
	return sizes
}

// pinnedLanes is the beginning of the SHA-256 of all results. It must be the same for every kernel.
const pinnedLanes = "a9103764f23ac7e8f51fd755"

func TestLaneBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	h := sha256.New()
	for _, size := range newSizes(rng) {
		c := newLaneCase(rng, size[0], size[1])
		want := c.compute(portable)
		hashResults(h, want)
		for _, k := range implementations {
			if !k.available {
				continue
			}
			for name, got := range c.compute(k) {
				if !haveSameBits(got, want[name]) {
					t.Fatalf("%s of %d vectors of dimension %d: the bits of %s differ from those of portable", name, c.n,
						c.d, k.name)
				}
			}
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)[:12]); got != pinnedLanes {
		t.Errorf("the digest of the results is %q, want %q", got, pinnedLanes)
	}
}

func hashResults(h hash.Hash, results map[string][][Width]float32) {
	names := make([]string, 0, len(results))
	for name := range results {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := binary.Write(h, binary.LittleEndian, results[name]); err != nil {
			panic(err)
		}
	}
}

// TestLaneSumsAgainstFloat64 compares Dots, Differences and Blend with sums in float64. The error
// bound is a rounding of each product and of each of the sums that contain it, which are at most as
// many as products.
func TestLaneSumsAgainstFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for range 50 {
		d, n := 1+rng.IntN(70), 1+rng.IntN(40)
		q, k, weights := newRows(rng, d, newNormal), newRows(rng, n*d, newNormal), newRows(rng, n, newNormal)
		dots, squares, blend := newRows(rng, n, newNormal), make([][Width]float32, n), newRows(rng, d, newNormal)
		startDots, startBlend := slices.Clone(dots), slices.Clone(blend)
		diff := make([][Width]float32, n*d)
		Dots(q, k, dots)
		Differences(k, q, diff, squares)
		Blend(k, weights, blend)

		check := func(name string, got, start float32, terms int, term func(i int) float64) {
			exact := float64(start)
			size := math.Abs(exact)
			for i := range terms {
				exact, size = exact+term(i), size+math.Abs(term(i))
			}
			if bound := 1.001 * float64(terms+1) * roundoff * size; !(math.Abs(float64(got)-exact) <= bound) {
				t.Fatalf("%s, %d vectors of dimension %d: %v, want %v ± %v", name, n, d, got, exact, bound)
			}
		}
		for lane := range Width {
			for j := range n {
				component := func(t int) float64 { return float64(k[j*d+t][lane]) }
				check("Dots", dots[j][lane], startDots[j][lane], d, func(t int) float64 {
					return float64(q[t][lane]) * component(t)
				})
				check("Differences", squares[j][lane], 0, d, func(t int) float64 {
					x := k[j*d+t][lane] - q[t][lane]
					if diff[j*d+t][lane] != x {
						return math.NaN()
					}
					return float64(x) * float64(x)
				})
			}
			for c := range d {
				check("Blend", blend[c][lane], startBlend[c][lane], n, func(j int) float64 {
					return float64(weights[j][lane]) * float64(k[j*d+c][lane])
				})
			}
		}
	}
}

// TestWeights compares e of Weights with math.Exp, to within the 3 roundings of e and 3 of ln e
// that RowSums states, and e² with the square of e.
func TestWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, shape := range rowShapes {
		for _, n := range []int{1, 2, 3, 16, 17, 33, 100, 1000} {
			scores := newScores(rng, n, shape.score)
			e, e2 := make([][Width]float32, n), make([][Width]float32, n)
			var p Peaks
			FindPeaks(scores, &p)
			for _, scale := range rowScales {
				Weights(scores, &p, scale, e, e2)
				for i := range Width * n {
					lane, j := i%Width, i/Width
					err := checkWeight(scores, &p, scale, lane, j, e[j][lane])
					if e2[j][lane] != e[j][lane]*e[j][lane] {
						err = fmt.Errorf("key %d has e = %v and e² = %v, want the square of e", j, e[j][lane], e2[j][lane])
					}
					if err != nil {
						t.Fatalf("%s, %d keys, scale %v, lane %d: %v", shape.name, n, scale, lane, err)
					}
				}
			}
		}
	}
}

func checkWeight(scores [][Width]float32, p *Peaks, scale float64, lane, j int, got float32) error {
	if j == int(p.Index[lane]) {
		if got != 0 {
			return fmt.Errorf("key %d has the greatest score and the weight %v, want 0", j, got)
		}
		return nil
	}
	x := scale * (float64(scores[j][lane]) - float64(p.Second[lane]))
	want := math.Exp(x)
	bound := 3 * roundoff * (1 - x) * want
	mayBeCut := x/math.Ln2 < sumCut+1e-4 // 10⁻⁴ for the rounding of the kernel's log₂ e
	if got == 0 && mayBeCut {
		return nil
	}
	if !(math.Abs(float64(got)-want) <= bound) {
		return fmt.Errorf("key %d has the weight %v, want %v ± %v", j, got, want, bound)
	}
	return nil
}

// TestRefused checks that functions panic for invalid scales, and for arguments with which assembly
// would access memory out of bounds.
func TestRefused(t *testing.T) {
	rows := func(n int) [][Width]float32 { return make([][Width]float32, n) }
	var p Peaks
	calls := map[string]func(){
		"a row too many":           func() { Dots(rows(3), rows(7), rows(2)) },
		"vectors of no components": func() { Dots(nil, rows(2), rows(2)) },
		"short differences":        func() { Differences(rows(6), rows(3), rows(5), rows(2)) },
		"no squares":               func() { Differences(rows(6), rows(3), rows(6), nil) },
		"no weights":               func() { Blend(rows(6), nil, rows(3)) },
		"no e":                     func() { Weights(rows(2), &p, 1, nil, rows(2)) },
		"no e²":                    func() { Weights(rows(2), &p, 1, rows(2), nil) },
		"no keys":                  func() { FindPeaks(nil, &p) },
		"sums of no rows":          func() { SumRows(nil, &p, 1, new(RowSums)) },
	}
	for _, scale := range []float64{-1, math.NaN(), math.Inf(1)} {
		calls[fmt.Sprint("weights at scale ", scale)] = func() { Weights(rows(2), &p, scale, rows(2), rows(2)) }
		calls[fmt.Sprint("sums at scale ", scale)] = func() { SumRows(rows(2), &p, scale, new(RowSums)) }
	}
	for name, call := range calls {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
