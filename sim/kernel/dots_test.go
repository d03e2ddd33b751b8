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

func TestAbove(t *testing.T) {
	inf := float32(math.Inf(1))
	tiny := math.Float32frombits(1)
	zero := float32(math.Copysign(0, -1))
	numbers := []float32{-inf, -1, -tiny, zero, 0, tiny, 1, math.MaxFloat32, inf}
	for n := range len(numbers) {
		scores := make([][Width]float32, n)
		for j := range scores {
			for lane := range scores[j] {
				scores[j][lane] = numbers[(j+lane)%len(numbers)]
			}
		}
		for _, bound := range numbers {
			var least [Width]float32
			var want [Width]int32
			for lane := range least {
				least[lane] = bound
				for j := range scores {
					if scores[j][lane] > bound {
						want[lane]++
					}
				}
			}
			var counts [Width]int32
			Above(scores, &least, &counts)
			if counts != want {
				t.Errorf("%d scores above %v: %v, want %v", n, bound, counts, want)
			}
		}
	}
}

// Every weight to within what RowSums states of e, 3 roundings and 3 of ln e,
// against math.Exp; and the sums of Rows, added as Rows adds them, are theirs.
func TestWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, shape := range rowShapes {
		for _, n := range []int{1, 2, 3, 16, 17, 33, 100, 1000} {
			scores := rowsOf(rng, n, shape.score)
			e, e2 := make([][Width]float32, n), make([][Width]float32, n)
			var p Peaks
			FindPeaks(scores, &p)
			for _, scale := range rowScales {
				var sums RowSums
				Rows(scores, &p, scale, &sums)
				Weights(scores, &p, scale, e, e2)
				for lane := range Width {
					index, tie := int(p.Index[lane]), p.First[lane] == p.Second[lane]
					name := fmt.Sprintf("%s, %d keys, scale %v, lane %d", shape.name, n, scale, lane)
					if got, want := rowSum(e, lane, index, tie), sums.E[lane]; got != want {
						t.Fatalf("%s: weights sum to %v, Rows says %v", name, got, want)
					}
					if got, want := rowSum(e2, lane, index, tie), sums.E2[lane]; got != want {
						t.Fatalf("%s: squares sum to %v, Rows says %v", name, got, want)
					}
					for j := range e {
						if err := checkWeight(scores, &p, scale, lane, j, e[j][lane]); err != nil {
							t.Fatalf("%s, %v", name, err)
						}
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

// rowSum adds the rows of a lane as Rows does, which in a tie adds 1 for the
// greatest and takes it off.
func rowSum(rows [][Width]float32, lane, index int, tie bool) float64 {
	sum := 0.0
	if tie {
		sum = -1
	}
	for from := 0; from < len(rows); from += sumKeys {
		var part, even float32
		for j, row := range rows[from:min(from+sumKeys, len(rows))] {
			e := row[lane]
			if tie && from+j == index {
				e = 1
			}
			if j%2 == 0 {
				even = e
			} else {
				part, even = part+(even+e), 0
			}
		}
		sum += float64(part + even)
	}
	return sum
}

// No vectors, and vectors of no components, leave everything as it is.
func TestLanesOfNothing(t *testing.T) {
	for _, k := range implementations {
		if !k.available {
			continue
		}
		rows := laneRows(rand.New(rand.NewPCG(27, 28)), 3, ordinary)
		want := slices.Clone(rows)
		var least [Width]float32
		var counts [Width]int32
		k.dots(nil, nil, nil)
		k.dots(rows, nil, nil)
		k.dots(nil, nil, rows)
		k.differences(nil, nil, nil, nil)
		k.differences(nil, rows, nil, nil)
		k.differences(nil, nil, nil, rows)
		k.blend(nil, nil, nil)
		k.blend(nil, rows, nil)
		k.blend(nil, nil, rows)
		k.above(nil, &least, &counts)
		k.weights(nil, &Peaks{}, 1, nil, nil)
		if !sameBits(rows, want) || counts != [Width]int32{} {
			t.Errorf("%s wrote something", k.name)
		}
	}
}

func TestLanesRefuse(t *testing.T) {
	rows := func(n int) [][Width]float32 { return make([][Width]float32, n) }
	var p Peaks
	for name, f := range map[string]func(){
		"a vector too few":         func() { Dots(rows(3), rows(6), rows(3)) },
		"a row too many":           func() { Dots(rows(3), rows(7), rows(2)) },
		"vectors of no components": func() { Dots(nil, rows(2), rows(2)) },
		"short differences":        func() { Differences(rows(6), rows(3), rows(5), rows(2)) },
		"differences of too few":   func() { Differences(rows(5), rows(3), rows(5), rows(2)) },
		"no squares":               func() { Differences(rows(6), rows(3), rows(6), nil) },
		"no weights":               func() { Blend(rows(6), nil, rows(3)) },
		"no sum":                   func() { Blend(rows(6), rows(2), nil) },
		"no e":                     func() { Weights(rows(2), &p, 1, nil, rows(2)) },
		"no e²":                    func() { Weights(rows(2), &p, 1, rows(2), nil) },
		"negative scale":           func() { Weights(rows(2), &p, -1, rows(2), rows(2)) },
		"scale NaN":                func() { Weights(rows(2), &p, math.NaN(), rows(2), rows(2)) },
		"infinite scale":           func() { Weights(rows(2), &p, math.Inf(1), rows(2), rows(2)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkLanes(b *testing.B) {
	const d = 64
	rng := rand.New(rand.NewPCG(29, 30))
	for _, n := range []int{8, 256} {
		q, k, diff := laneRows(rng, d, ordinary), laneRows(rng, n*d, ordinary), make([][Width]float32, n*d)
		scores, sums, sum := laneRows(rng, n, ordinary), make([][Width]float32, n), make([][Width]float32, d)
		e, e2 := make([][Width]float32, n), make([][Width]float32, n)
		var least [Width]float32
		var counts [Width]int32
		var p Peaks
		FindPeaks(scores, &p)
		for _, f := range []struct {
			name string
			rows int
			call func(i implementation)
		}{
			{"Dots", n * d, func(i implementation) { i.dots(q, k, sums) }},
			{"Differences", n * d, func(i implementation) { i.differences(k, q, diff, sums) }},
			{"Blend", n * d, func(i implementation) { i.blend(k, scores, sum) }},
			{"Above", n, func(i implementation) { i.above(scores, &least, &counts) }},
			{"Weights", n, func(i implementation) { i.weights(scores, &p, 1, e, e2) }},
		} {
			for _, i := range implementations {
				if !i.available {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/%d", f.name, i.name, n), func(b *testing.B) {
					for b.Loop() {
						f.call(i)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*f.rows), "ns/row")
				})
			}
		}
	}
}
