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

// chosen is the state whose next three words are a, b and c. What comes after them
// depends on free.
//
// A word is rotl(A+D, 7) + A, and the step makes A′ = A^X, D′ = rotl(X, 11) and
// B′ = B^C^A with X = D^B. So the last A and word give the last D, that gives X and
// A of the state before, and so on; the first two B then give C.
func chosen(a, b, c, free uint32) stream.Lane {
	d := func(word, a uint32) uint32 { return bits.RotateLeft32(word-a, -7) - a }
	before := func(word, a uint32) (x, aBefore uint32) {
		x = bits.RotateLeft32(d(word, a), -11)
		return x, a ^ x
	}
	x1, a1 := before(c, free)
	x0, a0 := before(b, a1)
	b0, b1 := x0^d(a, a0), x1^d(b, a1)
	return stream.Lane{A: a0, B: b0, C: b1 ^ b0 ^ a0, D: d(a, a0)}
}

// previous is the state before g.
func previous(g stream.Lane) stream.Lane {
	x, v := bits.RotateLeft32(g.D, -11), g.B^g.C // v is B ^ B<<9
	b := v ^ v<<9 ^ v<<18 ^ v<<27
	a := g.A ^ x
	return stream.Lane{A: a, B: b, C: g.C ^ b<<9 ^ a, D: x ^ b}
}

// ends are the words at which conversions, signs and comparisons change.
func ends(l distribution.Distribution) []uint32 {
	words := []uint32{0, 1, 2, 3, 4, 1<<31 - 2, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<31 + 2, 1<<32 - 3, 1<<32 - 2, 1<<32 - 1}
	if l.Name() == "bernoulli-gaussian" {
		limit, _ := bernoulliParams(l.Param())
		words = append(words, limit-1, limit, limit+1)
	}
	return words
}

// bounds are the words at which the arithmetic of a distribution takes another branch: where
// a logarithm goes from one octave to the next, 2^k·√½, or its argument is 2^k, in
// 31 high or low bits of a word; and the bounds of the distribution itself.
func bounds(l distribution.Distribution) []uint32 {
	var words []uint32
	for k := range uint32(31) {
		for _, pattern := range []uint32{0x3f800000, sqrtHalf} {
			for ulps := range uint32(4) {
				x := uint32(math.Float32frombits(pattern + (k+1)<<23 + ulps - 2))
				words = append(words, x, x<<1, x|signBit, ^x)
			}
		}
	}
	switch l.Name() {
	case "truncated-normal":
		words = append(words, truncatedBounds()...)
	case "student-t":
		words = append(words, studentBounds(l.Param())...)
	}
	words = append(words, ends(l)...)
	slices.Sort(words)
	return slices.Compact(words)
}

// around are the words about the least in 0..2³¹ for which f is true.
func around(f func(w uint32) bool) []uint32 {
	w := uint32(sort.Search(1<<31, func(i int) bool { return f(uint32(i)) }))
	return []uint32{w - 2, w - 1, w, w + 1, w + 2, -w, -w - 1, -w + 1}
}

// truncatedBounds are where the argument of its logarithm enters another octave.
func truncatedBounds() (words []uint32) {
	for octave := range uint32(4) {
		for ulps := range uint32(4) {
			bound := math.Float32frombits(sqrtHalf - octave<<23 + ulps - 1)
			words = append(words, around(func(w uint32) bool {
				y := odd(w) * (1.0 / (1 << 31))
				return w > 1<<31-129 || 1-float32(float32(y*y)*truncCut) <= bound // 2³¹ − 1 rounds to 2³¹
			})...)
		}
	}
	return words
}

// studentBounds are where expm1s rounds its argument to another integer, in the first
// word and, below 2^−31, in the second.
func studentBounds(nu float64) (words []uint32) {
	inverse, _ := studentParams(nu)
	rounded := func(u float32) float32 { return float32(float32(minusTwoLog(u, unit31)*inverse)*log2e) + roundInt }
	for n := range 64 {
		words = append(words, around(func(w uint32) bool { return rounded(max(float32(int32(w>>1)), 0x1p-32)) <= roundInt+float32(n) })...)
		words = append(words, around(func(w uint32) bool { return rounded(float32(open31(w>>1)*(1.0/(1<<31)))) <= roundInt+float32(n) })...)
	}
	return words
}

// Words that come once in billions: on every kernel a distribution gives the bits of the
// portable one where any of the first four words of a lane is at a bound, and where
// two of them are at the ends; and all are finite.
func TestRareWords(t *testing.T) {
	for _, name := range distributionNames {
		t.Run(name, func(t *testing.T) {
			l, rng := parse(t, name), rand.New(rand.NewPCG(7, 8))
			at, couples := bounds(l), ends(l)
			if everyCouple {
				couples = at
			}
			c := newComparison(t, l)
			for range singles {
				for _, w := range at {
					c.couple(w, rng.Uint32(), rng)
				}
			}
			for _, a := range couples {
				for _, b := range couples {
					c.couple(a, b, rng)
				}
			}
			c.flush()
			t.Logf("%d bounds, %d lanes", len(at), c.compared)
		})
	}
}

// comparison gathers the states of sixteen lanes and then runs every kernel on them.
type comparison struct {
	t            *testing.T
	distribution distribution.Distribution
	lanes        stream.Lanes
	n            int
	compared     int
}

func newComparison(t *testing.T, l distribution.Distribution) *comparison {
	return &comparison{t: t, distribution: l}
}

// couple puts two words side by side, and two places apart, among the first four.
func (c *comparison) couple(a, b uint32, rng *rand.Rand) {
	if first := firstWords(chosen(a, b, 0, 1)); first[0] != a || first[1] != b {
		c.t.Fatal("the words are not those that were chosen")
	}
	for _, g := range []stream.Lane{
		chosen(a, b, rng.Uint32(), rng.Uint32()),
		chosen(a, rng.Uint32(), b, rng.Uint32()),
		chosen(rng.Uint32(), a, b, rng.Uint32()),
	} {
		c.add(g)
		c.add(previous(g))
	}
}

// firstWords are the next four words of a lane.
func firstWords(g stream.Lane) (words [4]uint32) {
	for i := range words {
		g, words[i] = g.Next()
	}
	return words
}

func (c *comparison) add(g stream.Lane) {
	c.lanes.SetLane(c.n, g)
	if c.n++; c.n == Width {
		c.run()
		c.n = 0
	}
}

// flush compares what is left; lanes that hold an older state do no harm.
func (c *comparison) flush() {
	if c.n > 0 {
		c.run()
	}
}

func (c *comparison) run() {
	c.compared += Width
	want := outputs(portable, c.distribution, c.lanes)
	for _, patterns := range want.draws {
		for _, p := range patterns {
			if x := float64(math.Float32frombits(p)); math.IsInf(x, 0) || math.IsNaN(x) {
				c.t.Fatalf("a draw is %v", x)
			}
		}
	}
	for _, k := range implementations {
		if !k.available || k.name == portable.name {
			continue
		}
		if got := outputs(k, c.distribution, c.lanes); got != want {
			c.differ(k.name, got, want)
		}
	}
}

func (c *comparison) differ(name string, got, want rareOutput) {
	c.t.Helper()
	for i := range Width {
		for j := range got.draws {
			if got.draws[j][i] != want.draws[j][i] {
				c.t.Fatalf("%s: of a lane whose first words are %#x output %d is %#x, not %#x", name, firstWords(c.lanes.Lane(i)), j, got.draws[j][i], want.draws[j][i])
			}
		}
	}
	c.t.Fatalf("%s leaves other states", name)
}

// rareOutput is the patterns of what a distribution draws from given states, and the states
// after it: scores of one component and of four, which kernels take in steps of
// several, and vectors of three.
type rareOutput struct {
	draws [5][Width]uint32
	after [3]stream.Lanes
}

func outputs(k implementation, l distribution.Distribution, from stream.Lanes) (o rareOutput) {
	var scores [2][Width]float32
	for i, d := range []int{1, 4} {
		o.after[i] = from
		k.pairs(l)(&o.after[i], d, &scores[i])
	}
	var vectors [3][Width]float32
	o.after[2] = from
	k.vectors(l)(&o.after[2], vectors[:])
	for j, row := range slices.Concat(scores[:], vectors[:]) {
		for i, x := range row {
			o.draws[j][i] = math.Float32bits(x)
		}
	}
	return o
}
