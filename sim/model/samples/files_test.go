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

// testArray is an array in row-major order.
type testArray struct {
	shape     []int
	isFloat16 bool // whether it is written as float16; its numbers must be numbers of float16
	data      []float64
}

// writeArray writes an array as a .npy file of float64, or of float16.
func writeArray(t *testing.T, path string, v testArray) {
	t.Helper()
	dtype := "<f8"
	if v.isFloat16 {
		dtype = "<f2"
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", dtype,
		strings.Trim(strings.ReplaceAll(fmt.Sprint(v.shape), " ", ", "), "[]"))
	content := []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header)
	for _, x := range v.data {
		if v.isFloat16 {
			content = binary.LittleEndian.AppendUint16(content, toFloat16(x))
		} else {
			content = binary.LittleEndian.AppendUint64(content, math.Float64bits(x))
		}
	}
	simtest.Must(t, os.WriteFile(path, content, 0o644))
}

// toFloat16 returns the bits of x as a float16. It truncates x to 11 significant bits, and numbers
// beyond the range become infinite.
func toFloat16(x float64) uint16 {
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

// openArrays writes each array to a .npy file with the name of the array, and opens the files.
func openArrays(t *testing.T, arrays map[string]testArray) *tensor.Files {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for name, v := range arrays {
		path := filepath.Join(dir, name+".npy")
		writeArray(t, path, v)
		paths = append(paths, path)
	}
	files, err := tensor.Open(paths...)
	simtest.Must(t, err)
	t.Cleanup(func() { files.Close() })
	return files
}

// measureSamples writes and measures arrays. The default scale is 1/√d_k.
func measureSamples(t *testing.T, arrays map[string]testArray, o inspect.Options) (inspect.Summary,
	*inspect.AppliedScale, error) {
	t.Helper()
	s, err := Find(openArrays(t, arrays), Names{}, 0, 0)
	if err != nil {
		return inspect.Summary{}, nil, err
	}
	if o.Scale == 0 {
		o.Scale = 1 / math.Sqrt(float64(s.Dimension))
	}
	o.Workers = 2
	return s.Measure(context.Background(), o, func() {})
}

// model has queries and keys from which tests compute logits.
type model struct {
	texts, heads, keyHeads, queries, keys, d int
	q, k                                     []float64 // texts × heads × rows × d, and texts × keyHeads × rows × d
}

// newModel samples queries and keys of independent normal components.
func newModel(seed uint64, texts, heads, keyHeads, rows, d int) *model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &model{texts: texts, heads: heads, keyHeads: keyHeads, queries: rows, keys: rows, d: d}
	m.q, m.k = sampleVectors(r, texts*heads*rows, d, normal).Data, sampleVectors(r, texts*keyHeads*rows, d, normal).Data
	return m
}

// scoredPair is the position of a pair, and q·k.
type scoredPair struct {
	text, head, query, key int
	score                  float64
}

// vector returns row i of a head of a text in m.q or m.k, whose number of heads is given.
func (m *model) vector(data []float64, heads, text, head, i int) []float64 {
	start := ((text*heads+head)*m.queries + i) * m.d
	return data[start : start+m.d]
}

// computePairs returns an array with the result of compute for every pair.
func (m *model) computePairs(compute func(scoredPair) float64) testArray {
	v := testArray{shape: []int{m.texts, m.heads, m.queries, m.keys}}
	for text := range m.texts {
		for head := range m.heads {
			for i := range m.queries {
				for j := range m.keys {
					k := m.vector(m.k, m.keyHeads, text, head*m.keyHeads/m.heads, j)
					v.data = append(v.data,
						compute(scoredPair{text, head, i, j, elementary.Dot(m.vector(m.q, m.heads, text, head, i), k)}))
				}
			}
		}
	}
	return v
}

// softmax returns the softmax of each row of logits.
func (m *model) softmax(logits testArray) testArray {
	weights := testArray{shape: logits.shape}
	for i := 0; i < len(logits.data); i += m.keys {
		row, sum := logits.data[i:i+m.keys], 0.0
		start := len(weights.data)
		for _, x := range row {
			weights.data = append(weights.data, math.Exp(x))
			sum += math.Exp(x)
		}
		for j := range row {
			weights.data[start+j] /= sum
		}
	}
	return weights
}

// arrays returns the queries as q, the keys as k, and the other arrays.
func (m *model) arrays(others map[string]testArray) map[string]testArray {
	arrays := map[string]testArray{
		"q": {shape: []int{m.texts, m.heads, m.queries, m.d}, data: m.q},
		"k": {shape: []int{m.texts, m.keyHeads, m.keys, m.d}, data: m.k},
	}
	for name, v := range others {
		arrays[name] = v
	}
	return arrays
}
