package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/moments"
)

var origin = Origin{Kernel: 1, Seed: 7, Probe: [32]byte{1, 2, 3}}

// units is how many numbers a block of these tests counts.
const units = 3

func node(block int64) moments.Node {
	x := float64(block)
	return moments.Node{Moments: []moments.Moments{moments.Of([]float64{x, 1 / (x + 1), x * x}, 4)}, Counts: []int64{block, 1}}
}

func add(t testing.TB, s *Store, cell string, blocks ...int64) {
	t.Helper()
	for _, b := range blocks {
		if err := s.Add(cell, moments.Place{Index: b}, node(b)); err != nil {
			t.Fatal(err)
		}
	}
}

func filled(t testing.TB) *Store {
	t.Helper()
	s := New(origin)
	add(t, s, "variance/normal/d_k=64", 0, 1, 2, 3, 4)
	add(t, s, "health/normal", 0, 3, 7)
	return s
}

func saved(t testing.TB, s *Store) (path string, text []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "nodes")
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, text
}

func total(t *testing.T, s *Store, cell string, n int64) []byte {
	t.Helper()
	sum, ok := s.Total(cell, n)
	if !ok {
		t.Fatalf("%s is not drawn to %d blocks", cell, n)
	}
	return moments.AppendNode(nil, sum)
}

func TestRoundTrip(t *testing.T) {
	s := filled(t)
	path, text := saved(t, s)
	back, err := Load(path, origin)
	if err != nil {
		t.Fatal(err)
	}
	const cell = "variance/normal/d_k=64"
	if !bytes.Equal(total(t, back, cell, 5), total(t, s, cell, 5)) {
		t.Error("the total has changed on its way")
	}
	for range 10 { // the cells stand in a map
		if _, again := saved(t, back); !bytes.Equal(again, text) {
			t.Fatal("the loaded store is saved as other bytes")
		}
	}
	missing := back.Missing("health/normal", 8, units, 62)
	if fmt.Sprint(missing) != fmt.Sprint(filled(t).Missing("health/normal", 8, units, 62)) || len(missing) != 4 {
		t.Errorf("missing after loading: %v", missing)
	}
}

func TestLoadNothing(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "none"), origin)
	if err != nil || s == nil {
		t.Fatalf("a file that does not exist: %v", err)
	}
	add(t, s, "a", 0)
	s, err = Load(t.TempDir(), origin)
	if err == nil || s == nil {
		t.Fatal("a folder is read as a store")
	}
	add(t, s, "a", 0) // usable all the same
}

// Whatever byte changes, and wherever the file ends, it is damaged; the store
// that comes back is empty and can be used.
func TestDamaged(t *testing.T) {
	path, text := saved(t, filled(t))
	check := func(what string, b []byte) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path, origin)
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
		if _, ok := s.Total("variance/normal/d_k=64", 5); ok {
			t.Errorf("%s: nodes were read all the same", what)
		}
	}
	for i := 0; i < len(text); i += 7 {
		b := bytes.Clone(text)
		b[i] ^= 0x10
		check(fmt.Sprintf("byte %d changed", i), b)
	}
	for end := 0; end < len(text); end += 5 {
		check(fmt.Sprintf("cut at %d", end), text[:end])
	}
	check("a byte more", append(bytes.Clone(text), 0))
	check("another file", []byte(strings.Repeat("hello ", 100)))
}

func TestForeign(t *testing.T) {
	path, _ := saved(t, filled(t))
	for name, o := range map[string]Origin{
		"seed":    {Kernel: 1, Seed: 8, Probe: origin.Probe},
		"attempt": {Kernel: 1, Seed: 7, Attempt: 1, Probe: origin.Probe},
		"kernel":  {Kernel: 2, Seed: 7, Probe: origin.Probe},
		"probe":   {Kernel: 1, Seed: 7, Probe: [32]byte{1, 2, 4}},
	} {
		s, err := Load(path, o)
		if !errors.Is(err, ErrForeign) || errors.Is(err, ErrDamaged) {
			t.Errorf("another %s: %v", name, err)
		}
		if missing := s.Missing("variance/normal/d_k=64", 5, units, 62); len(missing) != 2 {
			t.Errorf("another %s: foreign nodes were kept; missing %v", name, missing)
		}
	}
}

// A file whose sum is right but whose content is not neither panics nor takes
// memory that it has no bytes for.
func TestMalformedInside(t *testing.T) {
	_, text := saved(t, filled(t))
	body := text[:len(text)-sha256.Size]
	head := len(origin.header())
	rapid.Check(t, func(t *rapid.T) {
		b := bytes.Clone(body[:rapid.IntRange(head, len(body)).Draw(t, "end")])
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			if len(b) > head {
				b[rapid.IntRange(head, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			}
		}
		sum := sha256.Sum256(b)
		s := New(origin)
		if err := s.decode(append(b, sum[:]...)); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q", err)
		}
	})
}

// A cell can be drawn further, but not less far: it is then drawn anew. So it
// is where its blocks have another size.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		n, units int64
		want     int64 // blocks missing
	}{{5, units, 0}, {9, units, 4}, {4, units, 4}, {5, units + 1, 5}, {1, units, 1}} {
		s := New(origin)
		add(t, s, "a", 0, 1, 2, 3, 4)
		var missing int64
		for _, p := range s.Missing("a", c.n, c.units, 62) {
			missing += p.Blocks()
			for b := p.First(); b < p.First()+p.Blocks(); b++ {
				add(t, s, "a", b)
			}
		}
		if missing != c.want {
			t.Errorf("%d blocks of %d: %d are missing, want %d", c.n, c.units, missing, c.want)
		}
		fresh := New(origin)
		for b := range c.n {
			add(t, fresh, "a", b)
		}
		if !bytes.Equal(total(t, s, "a", c.n), total(t, fresh, "a", c.n)) {
			t.Errorf("%d blocks: the total is not that of a fresh store", c.n)
		}
	}
}

func TestAddTwice(t *testing.T) {
	s := filled(t)
	if err := s.Add("health/normal", moments.Place{Index: 3}, node(3)); err == nil || !strings.Contains(err.Error(), "health/normal") {
		t.Errorf("a block that is there is added again: %v", err)
	}
	if _, ok := s.Total("no such cell", 1); ok {
		t.Error("a cell that was never drawn has a total")
	}
}

// Many goroutines may add at once; their order leaves no trace.
func TestConcurrentAdd(t *testing.T) {
	const blocks = 300
	s, plain := New(origin), New(origin)
	var group sync.WaitGroup
	for w := range int64(7) {
		group.Go(func() {
			for b := w; b < blocks; b += 7 {
				if err := s.Add("a", moments.Place{Index: b}, node(b)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for b := range int64(blocks) {
		add(t, plain, "a", b)
	}
	if !bytes.Equal(total(t, s, "a", blocks), total(t, plain, "a", blocks)) {
		t.Error("the total depends on who added what when")
	}
}
