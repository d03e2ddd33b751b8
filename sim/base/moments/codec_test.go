package moments

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func generateNode(t *rapid.T) Node {
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 5e-324}))
	n := Node{
		Moments: make([]Moments, rapid.IntRange(0, 4).Draw(t, "columns")),
		Counts:  rapid.SliceOfN(rapid.Int64(), 0, 5).Draw(t, "counts"),
	}
	for i := range n.Moments {
		m := &n.Moments[i]
		m.N = rapid.Int64Range(0, math.MaxInt64).Draw(t, "N")
		m.Order = rapid.IntRange(2, MaxOrder).Draw(t, "order")
		m.Mean = number.Draw(t, "mean")
		for p := 2; p <= m.Order; p++ {
			m.Sum[p] = number.Draw(t, "sum")
			if p%2 == 0 {
				m.Sum[p] = math.Abs(m.Sum[p])
			}
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "histograms") {
		n.Histograms = append(n.Histograms, generateHistogram(t))
	}
	return n
}

var testWindows = []Window{{-1.5, 0.25, 6}, {2, 1e-9, 1000}}

func generateHistogram(t *rapid.T) Histogram {
	return Histogram{testWindows[:rapid.IntRange(0, 2).Draw(t, "windows")], rapid.IntRange(0, 9).Draw(t, "from"),
		rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 0, 9).Draw(t, "bins")}
}

// isSameNode reports whether all numbers of two nodes are equal, where NaN counts as equal to NaN.
func isSameNode(a, b Node) bool { return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) }

// readNode reads a node from the front of b and returns the rest of b.
func readNode(b []byte) (n Node, rest []byte, ok bool) {
	r := Reader{B: b}
	n = r.Node()
	return n, r.B, !r.Bad
}

func TestNodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := generateNode(t)
		suffix := rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "after")
		prefix := []byte("before")
		text := AppendNode(prefix, n)
		if !bytes.HasPrefix(text, prefix) {
			t.Fatal("AppendNode changed the bytes before the node")
		}
		got, rest, ok := readNode(append(text[len(prefix):], suffix...))
		if !ok {
			t.Fatal("a node that AppendNode wrote cannot be read")
		}
		if !isSameNode(got, n) {
			t.Errorf("the node %+v is written and read as %+v", n, got)
		}
		if !bytes.Equal(rest, suffix) {
			t.Errorf("the bytes after the node are %x, want %x", rest, suffix)
		}
	})
}

func TestNodeMalformed(t *testing.T) {
	good := AppendNode(nil, Node{Moments: []Moments{New([]float64{1, 2}, 2)}, Counts: []int64{1}})
	for name, change := range map[string]func([]byte){
		"order 1":              func(b []byte) { b[20] = 1 },
		"order 9":              func(b []byte) { b[20] = 9 },
		"order 2⁶³+2":          func(b []byte) { b[27] = 0x80 },
		"negative N":           func(b []byte) { b[19] = 0x80 },
		"2³²−1 columns":        func(b []byte) { copy(b, "\xff\xff\xff\xff") },
		"2³²−1 counts":         func(b []byte) { copy(b[4:], "\xff\xff\xff\xff") },
		"one count too many":   func(b []byte) { b[4] = 2 },
		"2³²−1 histograms":     func(b []byte) { copy(b[8:], "\xff\xff\xff\xff") },
		"a histogram too many": func(b []byte) { b[8] = 1 },
		"one column too many":  func(b []byte) { b[0] = 2 },
	} {
		b := bytes.Clone(good)
		change(b)
		if n, _, ok := readNode(b); ok {
			t.Errorf("%s: the bytes are read as %+v, want an error", name, n)
		}
	}
	if _, _, ok := readNode(good); !ok {
		t.Fatal("the unchanged node cannot be read")
	}
}

// FuzzReadNode checks that any bytes are refused, or are the bytes that AppendNode writes for the
// node that was read.
func FuzzReadNode(f *testing.F) {
	f.Add([]byte{})
	f.Add(AppendNode(nil, Node{Moments: []Moments{New([]float64{1, 2}, 4)}, Counts: []int64{1, 2, 3}}))
	f.Add(AppendNode(nil, Node{Histograms: []Histogram{{testWindows, 300, []int64{1, 0, 200}}}}))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, rest, ok := readNode(text)
		if ok && !bytes.Equal(append(AppendNode(nil, n), rest...), text) {
			t.Errorf("%x is read as a node that is written as %x", text, AppendNode(nil, n))
		}
	})
}

// TestNodeHasOneForm checks that only one encoding of a run of zeros is accepted, since equal
// nodes must have equal bytes.
func TestNodeHasOneForm(t *testing.T) {
	node := Node{Histograms: []Histogram{{Counts: []int64{0, 0, 0, 300}}}}
	written := AppendNode(nil, node)
	const bins = "\x00\x02\xac\x02"
	before, found := bytes.CutSuffix(written, []byte(bins))
	if !found {
		t.Fatalf("%x does not end with its bins", written)
	}
	for name, other := range map[string]string{
		"two runs of zeros": "\x00\x01\x00\x00\xac\x02",
		"three runs":        "\x00\x00\x00\x00\x00\x00\xac\x02",
	} {
		if n, _, ok := readNode(append(bytes.Clone(before), other...)); ok {
			t.Errorf("%s: the bytes are read as %+v, want an error", name, n)
		}
	}
}
