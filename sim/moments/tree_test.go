package moments

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// block is a node whose numbers depend on its index alone.
func block(index int64) Node {
	r := rand.New(rand.NewPCG(uint64(index), 1))
	xs := []float64{r.NormFloat64(), r.ExpFloat64(), r.Float64(), 0.3}
	return Node{Moments: []Moments{Of(xs, 4)}, Counts: []int64{index}}
}

// drawn is the node of a place, its halves merged left before right.
func drawn(at Place) Node {
	if at.Level == 0 {
		return block(at.Index)
	}
	left, right := at.halves()
	return MergeNodes(drawn(left), drawn(right))
}

// scatter cuts the blocks 0 to n−1 into dyadic places at random and shuffles them.
func scatter(t *rapid.T, n int64) []Place {
	var cut func(list []Place, at Place) []Place
	cut = func(list []Place, at Place) []Place {
		if at.Level == 0 || rapid.Bool().Draw(t, "whole") {
			return append(list, at)
		}
		left, right := at.halves()
		return cut(cut(list, left), right)
	}
	var places []Place
	for _, p := range Cover(n) {
		places = cut(places, p)
	}
	return rapid.Permutation(places).Draw(t, "order")
}

func fill(t *rapid.T, places []Place) *Tree {
	tree := NewTree()
	for _, p := range places {
		if err := tree.Add(p, drawn(p)); err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

// Whatever the order and the places, the total has the same bits; and those
// are not the ones of a merge from left to right, or the test would be blind.
func TestTreeTotal(t *testing.T) {
	differs := false
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 70).Draw(t, "n")
		total, ok := fill(t, scatter(t, n)).Total(n)
		if !ok {
			t.Fatalf("no total of all %d blocks", n)
		}
		one, ok := fill(t, Cover(n)).Total(n)
		if !ok || !bytes.Equal(AppendNode(nil, total), AppendNode(nil, one)) {
			t.Errorf("the total of %d blocks depends on their order or places", n)
		}
		line := block(0)
		for i := int64(1); i < n; i++ {
			line = MergeNodes(line, block(i))
		}
		if total.Counts[0] != n*(n-1)/2 || total.Moments[0].N != 4*n {
			t.Errorf("the total of %d blocks counts %d and %d", n, total.Counts[0], total.Moments[0].N)
		}
		differs = differs || !bytes.Equal(AppendNode(nil, line), AppendNode(nil, total))
	})
	if !differs {
		t.Error("every order of merging gives the same bits for these blocks")
	}
}

// covered counts how often each of the first 128 blocks is in the places.
func covered(places []Place) (blocks [128]int) {
	for _, p := range places {
		for i := range p.Blocks() {
			blocks[p.First()+i]++
		}
	}
	return blocks
}

func TestCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 128).Draw(t, "n")
		places, next := Cover(n), int64(0)
		for i, p := range places {
			if p.First() != next {
				t.Fatalf("place %d begins at %d, want %d", i, p.First(), next)
			}
			if i > 0 && p.Level >= places[i-1].Level {
				t.Errorf("place %d of level %d could be larger", i, p.Level)
			}
			next += p.Blocks()
		}
		if next != n {
			t.Errorf("%d blocks are covered, want %d", next, n)
		}
	})
	if got := Cover(1<<62 + 1); len(got) != 2 || got[0] != (Place{62, 0}) || got[1] != (Place{0, 1 << 62}) {
		t.Errorf("Cover(2⁶²+1) = %v", got)
	}
}

// What a tree holds and what it is missing make up the blocks 0 to n−1, each
// once, in places of the asked size; filling them in completes the tree.
func TestMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 128).Draw(t, "n")
		level := rapid.IntRange(0, 7).Draw(t, "level")
		tree := NewTree()
		for _, p := range scatter(t, n) {
			if rapid.Bool().Draw(t, "held") {
				if err := tree.Add(p, drawn(p)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !tree.Extends(n) {
			t.Error("a tree of some of the blocks cannot be extended to all")
		}
		missing := tree.Missing(n, level)
		for i, times := range covered(append(tree.Places(), missing...)) {
			if want := int64(i) < n; (times == 1) != want || times > 1 {
				t.Fatalf("block %d of %d is held or missing %d times", i, n, times)
			}
		}
		if _, ok := tree.Total(n); ok != (len(missing) == 0) {
			t.Errorf("Total says %v, but %d places are missing", ok, len(missing))
		}
		for _, p := range missing {
			if p.Level > level {
				t.Errorf("a place of level %d, want at most %d", p.Level, level)
			}
			if err := tree.Add(p, drawn(p)); err != nil {
				t.Fatal(err)
			}
		}
		total, ok := tree.Total(n)
		whole, _ := fill(t, Cover(n)).Total(n)
		if !ok || !bytes.Equal(AppendNode(nil, total), AppendNode(nil, whole)) {
			t.Error("the tree does not become whole by what it was missing")
		}
	})
}

// A tree can be made larger but never smaller.
func TestExtends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		held := rapid.Int64Range(1, 60).Draw(t, "held")
		n := rapid.Int64Range(1, 128).Draw(t, "n")
		tree := fill(t, Cover(held))
		if got, want := tree.Extends(n), n >= held; got != want {
			t.Fatalf("a tree of %d blocks extends to %d: %v", held, n, got)
		}
		if _, ok := tree.Total(n); ok != (n == held) {
			t.Errorf("a tree of %d blocks gives a total of %d: %v", held, n, ok)
		}
	})
	if !NewTree().Extends(0) || !NewTree().Extends(5) {
		t.Error("an empty tree does not extend to every size")
	}
	if _, ok := NewTree().Total(0); ok {
		t.Error("an empty tree has a total")
	}
}

func TestAddRefusesOverlap(t *testing.T) {
	for _, c := range []struct {
		held, added Place
		overlap     bool
	}{
		{Place{0, 3}, Place{0, 3}, true},
		{Place{2, 0}, Place{0, 3}, true},
		{Place{0, 3}, Place{2, 0}, true},
		{Place{2, 0}, Place{0, 4}, false},
		{Place{0, 4}, Place{2, 0}, false},
		{Place{1, 1}, Place{0, 1}, false},
	} {
		tree := NewTree()
		if err := tree.Add(c.held, drawn(c.held)); err != nil {
			t.Fatal(err)
		}
		if err := tree.Add(c.added, drawn(c.added)); (err != nil) != c.overlap {
			t.Errorf("%v after %v: %v", c.added, c.held, err)
		}
	}
}
