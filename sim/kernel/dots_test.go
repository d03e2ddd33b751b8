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

// laneNumber is a number of ordinary size, or one that is easily done wrong:
// a zero of either sign, a subnormal number, a number of a subnormal square.
func laneNumber(rng *rand.Rand) float32 {
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

func ordinary(rng *rand.Rand) float32 { return float32(rng.NormFloat64()) }

func laneRows(rng *rand.Rand, n int, number func(*rand.Rand) float32) [][Width]float32 {
	rows := make([][Width]float32, n)
	for i := range rows {
		for lane := range rows[i] {
			rows[i][lane] = number(rng)
		}
	}
	return rows
}

// within copies rows to between two others, which show whether a function writes
// outside.
func within(rows [][Width]float32) (all, inner [][Width]float32) {
	all = slices.Concat(make([][Width]float32, 1), rows, make([][Width]float32, 1))
	return all, all[1 : len(all)-1]
}

// laneCase is a call of every function.
type laneCase struct {
	d, n                        int
	q, k, weights, scores, sums [][Width]float32 // d, n·d, n, n and n rows
	sum                         [][Width]float32 // d rows
	least                       [Width]float32
	scale                       float64
}

func newLaneCase(rng *rand.Rand, d, n int) laneCase {
	infinite := func(rng *rand.Rand) float32 {
		if rng.IntN(4) == 0 {
			return float32(math.Inf(1 - 2*rng.IntN(2)))
		}
		return laneNumber(rng)
	}
	c := laneCase{d: d, n: n, scale: 4 * rng.Float64()}
	c.q, c.sum = laneRows(rng, d, laneNumber), laneRows(rng, d, laneNumber)
	c.k = laneRows(rng, n*d, laneNumber)
	c.weights, c.sums = laneRows(rng, n, laneNumber), laneRows(rng, n, laneNumber)
	c.scores = laneRows(rng, n, infinite)
	c.least = laneRows(rng, 1, infinite)[0]
	for j := range c.scores {
		lane := rng.IntN(Width)
		c.scores[j][lane] = c.least[lane] // a tie
	}
	return c
}

// results are all rows that the functions of an implementation write, by what
// wrote them.
func (c *laneCase) results(k implementation) map[string][][Width]float32 {
	found := map[string][][Width]float32{}
	out := func(name string, rows [][Width]float32) [][Width]float32 {
		all, inner := within(rows)
		found[name] = all
		return inner
	}
	k.dots(c.q, c.k, out("Dots", c.sums))
	k.differences(c.k, c.q, out("Differences", c.k), out("squares of Differences", c.sums))
	same := out("Differences in place", c.k)
	k.differences(same, c.q, same, out("squares in place", c.sums))
	k.blend(c.k, c.weights, out("Blend", c.sum))

	counts := [Width]int32{3: -7, 5: 1 << 20}
	k.above(c.scores, &c.least, &counts)
	above := out("Above", make([][Width]float32, 1))
	for lane, count := range counts {
		above[0][lane] = float32(count)
	}

	var p Peaks
	k.findPeaks(c.weights, &p)
	k.weights(c.weights, &p, c.scale, out("Weights", c.weights), out("squares of Weights", c.weights))
	return found
}

func sameBits(a, b [][Width]float32) bool {
	return slices.EqualFunc(a, b, func(x, y [Width]float32) bool {
		for lane := range x {
			if math.Float32bits(x[lane]) != math.Float32bits(y[lane]) {
				return false
			}
		}
		return true
	})
}

// laneSizes are dimensions and numbers of vectors: those about the numbers that
// the assembly takes at once, and random ones.
func laneSizes(rng *rand.Rand) [][2]int {
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

// pinnedLanes is the start of a SHA-256 over all results, of every kernel.
const pinnedLanes = "a9103764f23ac7e8f51fd755"

func TestLaneBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	h := sha256.New()
	for _, size := range laneSizes(rng) {
		c := newLaneCase(rng, size[0], size[1])
		want := c.results(portable)
		hashResults(h, want)
		for _, k := range implementations {
			if !k.available {
				continue
			}
			for name, got := range c.results(k) {
				if !sameBits(got, want[name]) {
					t.Fatalf("%s, %d vectors of dimension %d: %s differs from portable", name, c.n, c.d, k.name)
				}
			}
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)[:12]); got != pinnedLanes {
		t.Errorf("%q", got)
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

// Sums of products against float64. A product is rounded once, and once more
// with every sum that it enters, of which there are as many as products.
func TestLaneSumsAgainstFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for range 50 {
		d, n := 1+rng.IntN(70), 1+rng.IntN(40)
		q, k, weights := laneRows(rng, d, ordinary), laneRows(rng, n*d, ordinary), laneRows(rng, n, ordinary)
		dots, squares, blend := laneRows(rng, n, ordinary), make([][Width]float32, n), laneRows(rng, d, ordinary)
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
			if bound := 1.001 * float64(terms+1) * half * size; !(math.Abs(float64(got)-exact) <= bound) {
				t.Fatalf("%s, %d vectors of dimension %d: %v, want %v ± %v", name, n, d, got, exact, bound)
			}
		}
		for lane := range Width {
			for j := range n {
				of := func(t int) float64 { return float64(k[j*d+t][lane]) }
				check("Dots", dots[j][lane], startDots[j][lane], d, func(t int) float64 { return float64(q[t][lane]) * of(t) })
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

// Every weight to within what RowSums states of e, 3 roundings and 3 of ln e,
// against math.Exp, and its square.
func TestWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, shape := range rowShapes {
		for _, n := range []int{1, 2, 3, 16, 17, 33, 100, 1000} {
			scores := rowsOf(rng, n, shape.score)
			e, e2 := make([][Width]float32, n), make([][Width]float32, n)
			var p Peaks
			FindPeaks(scores, &p)
			for _, scale := range rowScales {
				Weights(scores, &p, scale, e, e2)
				for i := range Width * n {
					lane, j := i%Width, i/Width
					err := checkWeight(scores, &p, scale, lane, j, e[j][lane])
					if e2[j][lane] != e[j][lane]*e[j][lane] {
						err = fmt.Errorf("the square of %v is %v", e[j][lane], e2[j][lane])
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
			return fmt.Errorf("the greatest weighs %v", got)
		}
		return nil
	}
	x := scale * (float64(scores[j][lane]) - float64(p.Second[lane]))
	want := math.Exp(x)
	bound := 3 * half * (1 - x) * want
	if got == 0 && x/math.Ln2 < sumCut+1e-4 {
		return nil
	}
	if !(math.Abs(float64(got)-want) <= bound) {
		return fmt.Errorf("key %d weighs %v, want %v ± %v", j, got, want, bound)
	}
	return nil
}

// What assembly would read or write beyond its end, and scales that no sum holds, are
// refused before it is called.
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
		"sums of none":             func() { Rows(nil, &p, 1, new(RowSums)) },
	}
	for _, scale := range []float64{-1, math.NaN(), math.Inf(1)} {
		calls[fmt.Sprint("weights at scale ", scale)] = func() { Weights(rows(2), &p, scale, rows(2), rows(2)) }
		calls[fmt.Sprint("sums at scale ", scale)] = func() { Rows(rows(2), &p, scale, new(RowSums)) }
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
