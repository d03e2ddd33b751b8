package statedict

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/projection"
	"mcsim/sim/simtest"
)

// isNear reports whether got differs from want by at most 10⁻⁶ of want or, if size is larger, of
// size.
func isNear(got, want, size float64) bool {
	return math.Abs(got-want) <= 1e-6*math.Max(math.Abs(want), size)
}

// TestAgainstPyTorch measures heads of every layout and compares the moments, the largest score and
// the participation ratio with testdata/layouts.json, computed by PyTorch and the code of the
// models, to 10⁻⁶.
func TestAgainstPyTorch(t *testing.T) {
	text, err := os.ReadFile("testdata/layouts.json")
	simtest.Must(t, err)
	var layouts []struct {
		Name, Folder, Norm      string
		Heads, Dimension        int
		Options                 Options
		Mean, Variance, Largest []float64
		Participation           []*float64
	}
	simtest.Must(t, json.Unmarshal(text, &layouts))
	if len(layouts) < 40 {
		t.Errorf("testdata/layouts.json has %d layouts, want 40 at least", len(layouts))
	}
	for _, want := range layouts {
		t.Run(want.Name, func(t *testing.T) {
			path := filepath.Join("testdata", want.Folder, "model.safetensors")
			files, err := tensor.Open(path)
			simtest.Must(t, err)
			defer files.Close()
			o := want.Options
			o.X, o.Norm, o.Path = "x", want.Norm, path
			m, err := Open(files, o)
			simtest.Must(t, err)
			got, err := m.Measure(context.Background(), inspect.Options{Scale: 1, Workers: 2}, func() {})
			simtest.Must(t, err)
			if len(got) != want.Heads {
				t.Fatalf("got %d heads, want %d", len(got), want.Heads)
			}
			for h, head := range got {
				if p := want.Participation[h]; p != nil && !isNear(head.Participation, *p, 0) {
					t.Errorf("head %d: the participation ratio is %v, PyTorch has %v", h, head.Participation, *p)
				}
				if d := head.Text.Dimension; d != want.Dimension {
					t.Errorf("head %d: d_k is %d, want %d", h, d, want.Dimension)
				}
				variance := want.Variance[h]
				sd := math.Sqrt(variance)
				if x := head.Text.Mean; !isNear(x, want.Mean[h], sd) {
					t.Errorf("head %d: the mean is %v, PyTorch has %v", h, x, want.Mean[h])
				}
				if x := head.Text.Variance; !isNear(x, variance, 0) {
					t.Errorf("head %d: the variance is %v, PyTorch has %v", h, x, variance)
				}
				if x := head.Text.MaxScore(); !isNear(x, want.Largest[h], sd) {
					t.Errorf("head %d: the largest score is %v, PyTorch has %v", h, x, want.Largest[h])
				}
			}
		})
	}
}

// writeStateDict writes a state dict of zeros in float16 and opens it.
func writeStateDict(t *testing.T, config string, shapes map[string][]int) (string, *tensor.Files) {
	t.Helper()
	dir := t.TempDir()
	var entries []string
	offset := 0
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		n := 2
		for _, s := range shapes[name] {
			n *= s
		}
		shape, err := json.Marshal(shapes[name])
		simtest.Must(t, err)
		entries = append(entries,
			fmt.Sprintf(`%q:{"dtype":"F16","shape":%s,"data_offsets":[%d,%d]}`, name, shape, offset, offset+n))
		offset += n
	}
	header := "{" + strings.Join(entries, ",") + "}"
	path := filepath.Join(dir, "model.safetensors")
	simtest.Must(t,
		os.WriteFile(path, append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), 0o644))
	simtest.Must(t, os.Truncate(path, int64(8+len(header)+offset)))
	if config != "" {
		simtest.Must(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o644))
	}
	files, err := tensor.Open(path)
	simtest.Must(t, err)
	t.Cleanup(func() { files.Close() })
	return path, files
}

// TestConfig checks that the scale and the heads follow config.json, and that layers are sorted by
// their numbers.
func TestConfig(t *testing.T) {
	shapes := map[string][]int{}
	for i := range 12 {
		for _, n := range []string{"q", "k"} {
			shapes[fmt.Sprintf("model.layers.%d.self_attn.%s_proj.weight", i, n)] = []int{64, 32}
		}
	}
	for config, scale := range map[string]float64{
		`{"num_attention_heads":4}`: 0.25,
		`{"text_config":{"num_attention_heads":4,"query_pre_attn_scalar":64}}`: 0.125,
		`{"num_attention_heads":4,"attention_multiplier":0.0625}`:              0.0625,
		`{"num_heads":4,"model_type":"t5"}`:                                    1,
		// modeling_deepseek.py of DeepSeek-V3: (0.1·ln 40 + 1)² = 1.8738…
		`{"model_type":"deepseek_v3","num_attention_heads":4,"qk_rope_head_dim":8,` +
			`"rope_scaling":{"factor":40,"mscale_all_dim":1}}`: 0.25 * math.Pow(1+0.1*math.Log(40), 2),
	} {
		path, files := writeStateDict(t, config, shapes)
		m, err := Open(files, Options{Path: path})
		simtest.Must(t, err)
		if got := m.Layers[0].Scale; math.Abs(got/scale-1) > 1e-12 {
			t.Errorf("%s: the scale is %v, want %v", config, got, scale)
		}
		if len(m.Layers) != 12 {
			t.Fatalf("%s: got %d layers, want 12", config, len(m.Layers))
		}
		if last := m.Layers[11]; last.Title != "11" || last.Heads != 4 || last.Dimension != 16 {
			t.Errorf("%s: the last layer is %s with %d heads of d_k = %d, want 11 with 4 heads of 16", config,
				last.Title,
				last.Heads, last.Dimension)
		}
	}
}

// TestDrawnTokens compares the variance for sampled tokens with its expected value, computed from
// the weights, to 4.5 standard errors, for LayerNorm and RMSNorm with gains. Heads whose weights
// are 0 must have the variance 0.
func TestDrawnTokens(t *testing.T) {
	for norm, folder := range map[string]string{projection.NormRMS: "separate", projection.NormLayer: "flax"} {
		path := filepath.Join("testdata", folder, "model.safetensors")
		files, err := tensor.Open(path)
		simtest.Must(t, err)
		defer files.Close()
		m, err := Open(files, Options{Path: path, Norm: norm, Tokens: 4096})
		simtest.Must(t, err)
		got, err := m.Measure(context.Background(), inspect.Options{Scale: 1, Workers: 2}, func() {})
		simtest.Must(t, err)
		q, k := m.Layers[0].headWeights()
		for h, head := range m.Summarise(got, inspect.Options{}).Heads {
			want := computeMeanSquare(t, q, h, k, norm == projection.NormLayer)
			if z := (float64(head.Variance.Value) - want) / float64(head.Variance.SE); !(math.Abs(z) < 4.5) {
				t.Errorf("%s, head %d: the variance is %+v, want %v by the weights", folder, h, head.Variance, want)
			}
		}
	}
	path, files := writeStateDict(t, "", map[string][]int{"q_proj.weight": {8, 8}, "k_proj.weight": {8, 8}})
	m, err := Open(files, Options{Path: path, Heads: 2, Tokens: 32})
	simtest.Must(t, err)
	got, err := m.Measure(context.Background(), inspect.Options{Scale: 1, Workers: 1}, func() {})
	simtest.Must(t, err)
	if got[1].Text.Variance != 0 || !math.IsNaN(got[1].Participation) {
		t.Errorf("weights of 0: the variance is %v and the participation ratio %v, want 0 and NaN",
			got[1].Text.Variance, got[1].Participation)
	}
}

// computeMeanSquare returns E (q·k)² of head h for isotropic tokens whose components have the mean
// square 1. If centred is set, the components of each token have the mean 0.
func computeMeanSquare(t *testing.T, q projection.HeadWeights, h int, k projection.HeadWeights,
	centred bool) (sum float64) {
	t.Helper()
	newGram := func(s projection.HeadWeights) []float64 {
		d, n := s.RowsPerHead, s.Weights.Columns
		w := make([]float64, d*n)
		simtest.Must(t, tensor.Read(s.Weights.Submatrix(s.FirstRow(h), s.FirstRow(h)+d, 0, n), w))
		gram := make([]float64, d*d)
		for a := range d {
			for b := range d {
				var product, sumA, sumB float64
				for c := range n {
					product += w[a*n+c] * w[b*n+c]
					sumA, sumB = sumA+w[a*n+c], sumB+w[b*n+c]
				}
				if centred {
					product = (product - sumA*sumB/float64(n)) * float64(n) / float64(n-1)
				}
				gram[a*d+b] = product
			}
		}
		return gram
	}
	x, y := newGram(q), newGram(k)
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

// TestReach checks what a description says of the largest logit and its weight, for gains of 1, which
// Gemma 3 stores as 0: s·d_k = 64/8 and the weight of reach.Moments, which is compared with SciPy.
func TestReach(t *testing.T) {
	describe := func(config string, arrays shapes) string {
		m, err := open(t, config, arrays, Options{Tokens: 64})
		simtest.Must(t, err)
		return strings.Join(m.Subject, " ")
	}
	const prefix = "model.layers.0.self_attn."
	arrays := func() shapes { return newSeparate(prefix, 128, 64, 32) }
	normed := func() shapes { return arrays().with(prefix+"q_norm.weight", 64).with(prefix+"k_norm.weight", 64) }
	const config = `{"model_type":"gemma3_text","num_attention_heads":2,"num_key_value_heads":1,"head_dim":64,` +
		`"hidden_size":32,"query_pre_attn_scalar":64%s}`
	for extra, want := range map[string]string{
		`,"max_position_embeddings":1024`: "Among 1024 keys (the context) such a logit gets a mean weight of about 0.64 ",
		"":                                "Among 64 keys (by --keys, since the context is not known) such a logit gets a mean weight of about 0.966 ",
	} {
		got := describe(fmt.Sprintf(config, extra), normed())
		if !strings.Contains(got, "a logit is at most 8 (over heads)") || !strings.Contains(got, want) {
			t.Errorf("%s: the description is %q, want one with %q", extra, got, want)
		}
	}
	if got := describe(`{"num_attention_heads":2,"num_key_value_heads":1,"head_dim":64}`, arrays()); strings.Contains(got, "at most") {
		t.Errorf("without norms: the description is %q", got)
	}
}
