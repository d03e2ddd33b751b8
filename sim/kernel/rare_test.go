package kernel

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

// newLaneWithWords returns the state whose next three words are a, b and c. The words after them
// depend on free.
//
// A word of the state A, B, C, D is rotl(A+D, 7) + A. The next state has A′ = A^X, D′ = rotl(X, 11)
// and B′ = B^C^A with X = D^B. So the third word and its A (free) give D, and D gives X and A of
// the second state. The same step leads to the first state. Its C follows from the first two B.
func newLaneWithWords(a, b, c, free uint32) stream.Lane {
	d := func(word, a uint32) uint32 { return bits.RotateLeft32(word-a, -7) - a }
	stepBack := func(word, a uint32) (x, previousA uint32) {
		x = bits.RotateLeft32(d(word, a), -11)
		return x, a ^ x
	}
	x1, a1 := stepBack(c, free)
	x0, a0 := stepBack(b, a1)
	b0, b1 := x0^d(a, a0), x1^d(b, a1)
	return stream.Lane{A: a0, B: b0, C: b1 ^ b0 ^ a0, D: d(a, a0)}
}

// previousLane returns the state before g.
func previousLane(g stream.Lane) stream.Lane {
	x, v := bits.RotateLeft32(g.D, -11), g.B^g.C // v is B ^ B<<9
	b := v ^ v<<9 ^ v<<18 ^ v<<27
	a := g.A ^ x
	return stream.Lane{A: a, B: b, C: g.C ^ b<<9 ^ a, D: x ^ b}
}

// edgeWords returns the words near 0, 2³¹ and 2³², at which conversions and signs change, and near
// the limit with which bernoulli-gaussian compares words.
func edgeWords(dist distribution.Distribution) []uint32 {
	words := []uint32{0, 1, 2, 3, 4, 1<<31 - 2, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<31 + 2, 1<<32 - 3, 1<<32 - 2,
		1<<32 - 1}
	if dist.Name() == "bernoulli-gaussian" {
		limit, _ := bernoulliParams(dist.Param())
		words = append(words, limit-1, limit, limit+1)
	}
	return words
}

// boundaryWords returns the words near which the arithmetic of a distribution changes: the edge
// words, the words whose 31 high or low bits are near 2^k, or near 2^k·√½, where splitLog changes
// the exponent, and the words that are special to the distribution.
func boundaryWords(dist distribution.Distribution) []uint32 {
	var words []uint32
	for k := range uint32(31) {
		for _, pattern := range []uint32{0x3f800000, sqrtHalf} {
			for ulps := range uint32(4) {
				x := uint32(math.Float32frombits(pattern + (k+1)<<23 + ulps - 2))
				words = append(words, x, x<<1, x|signBit, ^x)
			}
		}
	}
	switch dist.Name() {
	case "truncated-normal":
		words = append(words, truncatedBoundaries()...)
	case "student-t":
		words = append(words, studentBoundaries(dist.Param())...)
	}
	words = append(words, edgeWords(dist)...)
	slices.Sort(words)
	return slices.Compact(words)
}

// wordsAround returns the words near the smallest one in [0, 2³¹) for which f is true.
func wordsAround(f func(w uint32) bool) []uint32 {
	w := uint32(sort.Search(1<<31, func(i int) bool { return f(uint32(i)) }))
	return []uint32{w - 2, w - 1, w, w + 1, w + 2, -w, -w - 1, -w + 1}
}

// truncatedBoundaries returns the words near which splitLog changes the exponent of the argument 1
// − c²y² of truncatedDraws.
func truncatedBoundaries() (words []uint32) {
	for octave := range uint32(4) {
		for ulps := range uint32(4) {
			bound := math.Float32frombits(sqrtHalf - octave<<23 + ulps - 1)
			words = append(words, wordsAround(func(w uint32) bool {
				y := oddFloat(w) * (1.0 / (1 << 31))
				return w > 1<<31-129 || 1-float32(float32(y*y)*truncCut) <= bound // 2³¹ − 1 rounds to 2³¹
			})...)
		}
	}
	return words
}

// studentBoundaries returns the words near which expm1s rounds its argument to another integer n:
// first words of a group, and second words of groups whose first word is 0.
func studentBoundaries(nu float64) (words []uint32) {
	inverse, _ := studentParams(nu)
	round := func(u float32) float32 {
		return float32(float32(minusTwoLog(u, unit31)*inverse)*log2e) + roundInt
	}
	for n := range 64 {
		words = append(words, wordsAround(func(w uint32) bool {
			return round(max(float32(int32(w>>1)), 0x1p-32)) <= roundInt+float32(n)
		})...)
		words = append(words, wordsAround(func(w uint32) bool {
			return round(float32(open31(w>>1)*(1.0/(1<<31)))) <= roundInt+float32(n)
		})...)
	}
	return words
}

// TestRareWords checks lanes with words that occur once in billions: one of the first four words is
// a boundary word, or two of them are edge words. All draws must be finite, and every kernel must
// give the bits of the portable kernel.
func TestRareWords(t *testing.T) {
	for _, name := range distributionNames {
		t.Run(name, func(t *testing.T) {
			dist, rng := mustParse(t, name), rand.New(rand.NewPCG(7, 8))
			boundaries, pairWords := boundaryWords(dist), edgeWords(dist)
			if pairsAllBoundaries {
				pairWords = boundaries
			}
			c := newComparison(t, dist)
			for range lanesPerBoundary {
				for _, w := range boundaries {
					c.addPair(w, rng.Uint32(), rng)
				}
			}
			for _, a := range pairWords {
				for _, b := range pairWords {
					c.addPair(a, b, rng)
				}
			}
			c.flush()
			t.Logf("%d boundary words, %d lanes", len(boundaries), c.compared)
		})
	}
}

// comparison collects the states of sixteen lanes and then runs every kernel on them.
type comparison struct {
	t            *testing.T
	distribution distribution.Distribution
	lanes        stream.Lanes
	filled       int
	compared     int
}

func newComparison(t *testing.T, dist distribution.Distribution) *comparison {
	return &comparison{t: t, distribution: dist}
}

// addPair adds lanes with the words a and b among their first four words: b is the next word after
// a, or the second next.
func (c *comparison) addPair(a, b uint32, rng *rand.Rand) {
	if words := firstWords(newLaneWithWords(a, b, 0, 1)); words[0] != a || words[1] != b {
		c.t.Fatal("the lane does not have the chosen words")
	}
	for _, g := range []stream.Lane{
		newLaneWithWords(a, b, rng.Uint32(), rng.Uint32()),
		newLaneWithWords(a, rng.Uint32(), b, rng.Uint32()),
		newLaneWithWords(rng.Uint32(), a, b, rng.Uint32()),
	} {
		c.addLane(g)
		c.addLane(previousLane(g))
	}
}

// firstWords returns the next four words of a lane.
func firstWords(g stream.Lane) (words [4]uint32) {
	for i := range words {
		g, words[i] = g.Next()
	}
	return words
}

func (c *comparison) addLane(g stream.Lane) {
	c.lanes.SetLane(c.filled, g)
	c.filled++
	if c.filled == Width {
		c.run()
		c.filled = 0
	}
}

// flush compares the remaining lanes. The lanes that are not filled have earlier states, which are
// compared again.
func (c *comparison) flush() {
	if c.filled > 0 {
		c.run()
	}
}

func (c *comparison) run() {
	c.compared += Width
	want := computeOutput(portable, c.distribution, c.lanes)
	for _, patterns := range want.draws {
		for _, p := range patterns {
			if x := float64(math.Float32frombits(p)); math.IsInf(x, 0) || math.IsNaN(x) {
				c.t.Fatalf("a draw is %v, want a finite number", x)
			}
		}
	}
	for _, k := range implementations {
		if !k.available || k.name == portable.name {
			continue
		}
		if got := computeOutput(k, c.distribution, c.lanes); got != want {
			c.reportDifference(k.name, got, want)
		}
	}
}

func (c *comparison) reportDifference(name string, got, want rareOutput) {
	c.t.Helper()
	for i := range Width {
		for j := range got.draws {
			if got.draws[j][i] != want.draws[j][i] {
				c.t.Fatalf("%s: lane with the first words %#x: output %d is %#x, want %#x",
					name, firstWords(c.lanes.Lane(i)), j, got.draws[j][i], want.draws[j][i])
			}
		}
	}
	c.t.Fatalf("the final states of the lanes of %s differ from those of portable", name)
}

// rareOutput has the bit patterns of draws and the states of the lanes after them. The draws are
// scores of the dimensions 1 and 4, since kernels take several components at once, and the
// components of a vector of the dimension 3.
type rareOutput struct {
	draws  [5][Width]uint32
	states [3]stream.Lanes
}

func computeOutput(k implementation, dist distribution.Distribution, start stream.Lanes) (output rareOutput) {
	var scores [2][Width]float32
	for i, d := range []int{1, 4} {
		output.states[i] = start
		k.pairs(dist)(&output.states[i], d, &scores[i])
	}
	var vectors [3][Width]float32
	output.states[2] = start
	k.vectors(dist)(&output.states[2], vectors[:])
	for j, row := range slices.Concat(scores[:], vectors[:]) {
		for i, x := range row {
			output.draws[j][i] = math.Float32bits(x)
		}
	}
	return output
}
