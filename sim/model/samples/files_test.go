package samples

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/simtest"
)

// values is an array that a test writes, row by row.
type values struct {
	shape []int
	half  bool // as float16, of numbers that it holds
	data  []float64
}

// writeArray writes an array as a .npy file of float64, or of float16.
func writeArray(t *testing.T, path string, v values) {
	t.Helper()
	kind := "<f8"
	if v.half {
		kind = "<f2"
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", kind,
		strings.Trim(strings.ReplaceAll(fmt.Sprint(v.shape), " ", ", "), "[]"))
	out := []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header)
	for _, x := range v.data {
		if v.half {
			out = binary.LittleEndian.AppendUint16(out, halfBits(x))
		} else {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
		}
	}
	simtest.Must(t, os.WriteFile(path, out, 0o644))
}

// halfBits is a number in float16: cut to 11 bits, infinite beyond its range.
func halfBits(x float64) uint16 {
	bits := math.Float64bits(x)
	sign := uint16(bits>>48) & 0x8000
	fraction, exponent := math.Frexp(math.Abs(x))
	switch {
	case x == 0:
		return sign
	case math.Abs(x) > maxHalf:
		return sign | 0x7c00
	case exponent < -13:
		return sign | uint16(math.Ldexp(fraction, exponent+24))
	}
	return sign | uint16(exponent+14)<<10 | uint16(fraction*2048)&0x3ff
}

// openArrays opens arrays that are written as files of their names.
func openArrays(t *testing.T, all map[string]values) *tensor.Files {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for name, v := range all {
		path := filepath.Join(dir, name+".npy")
		writeArray(t, path, v)
		paths = append(paths, path)
	}
	files, err := tensor.Open(paths...)
	simtest.Must(t, err)
	t.Cleanup(func() { files.Close() })
	return files
}

// look finds and measures samples.
func look(t *testing.T, all map[string]values, o inspect.Options) (inspect.Summary, *inspect.AppliedScale, error) {
	t.Helper()
	s, err := Find(openArrays(t, all), Names{}, 0, 0)
	if err != nil {
		return inspect.Summary{}, nil, err
	}
	if o.Scale == 0 {
		o.Scale = 1 / math.Sqrt(float64(s.Dimension))
	}
	o.Workers = 2
	return s.Measure(context.Background(), o, func() {})
}

// model is queries and keys of texts and heads, whose logits tests make.
type model struct {
	texts, heads, keyHeads, queries, keys, d int
	q, k                                     []float64
}

// newModel draws queries and keys of independent normal components.
func newModel(seed uint64, texts, heads, keyHeads, rows, d int) *model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &model{texts: texts, heads: heads, keyHeads: keyHeads, queries: rows, keys: rows, d: d}
	m.q, m.k = drawn(r, texts*heads*rows, d, normal).Data, drawn(r, texts*keyHeads*rows, d, normal).Data
	return m
}

// at is a pair: its place, and q·k.
type at struct {
	text, head, query, key int
	score                  float64
}

// vector is the i-th row of a head of a text.
func (m *model) vector(of []float64, heads, text, head, i int) []float64 {
	start := ((text*heads+head)*m.queries + i) * m.d
	return of[start : start+m.d]
}

// pairs makes an array of a number for every pair.
func (m *model) pairs(number func(at) float64) values {
	v := values{shape: []int{m.texts, m.heads, m.queries, m.keys}}
	for text := range m.texts {
		for head := range m.heads {
			for i := range m.queries {
				for j := range m.keys {
					k := m.vector(m.k, m.keyHeads, text, head*m.keyHeads/m.heads, j)
					v.data = append(v.data, number(at{text, head, i, j, elementary.Dot(m.vector(m.q, m.heads, text, head, i), k)}))
				}
			}
		}
	}
	return v
}

// softmax makes weights of logits, in rows.
func (m *model) softmax(logits values) values {
	out := values{shape: logits.shape}
	for i := 0; i < len(logits.data); i += m.keys {
		row, sum := logits.data[i:i+m.keys], 0.0
		start := len(out.data)
		for _, x := range row {
			out.data = append(out.data, math.Exp(x))
			sum += math.Exp(x)
		}
		for j := range row {
			out.data[start+j] /= sum
		}
	}
	return out
}

// arrays are the queries and keys, and others.
func (m *model) arrays(others map[string]values) map[string]values {
	all := map[string]values{
		"q": {shape: []int{m.texts, m.heads, m.queries, m.d}, data: m.q},
		"k": {shape: []int{m.texts, m.keyHeads, m.keys, m.d}, data: m.k},
	}
	for name, v := range others {
		all[name] = v
	}
	return all
}
