package statedict

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/simtest"
)

// shapes holds the shapes of arrays by name.
type shapes map[string][]int

// open writes a state dict of zeros and opens it.
func open(t *testing.T, config string, arrays shapes, o Options) (*Model, error) {
	t.Helper()
	var files *tensor.Files
	o.Path, files = writeStateDict(t, config, arrays)
	return Open(files, o)
}

// newSeparate returns W_Q and W_K of a layer with q and k outputs and width inputs.
func newSeparate(prefix string, q, k, width int) shapes {
	return shapes{prefix + "q_proj.weight": {q, width}, prefix + "k_proj.weight": {k, width}}
}

func join(parts ...shapes) shapes {
	joined := shapes{}
	for _, s := range parts {
		maps.Copy(joined, s)
	}
	return joined
}

// with adds an array to s and returns s.
func (s shapes) with(name string, shape ...int) shapes {
	s[name] = shape
	return s
}

// TestQuantised checks that Open returns an error for weights of an integer type.
func TestQuantised(t *testing.T) {
	path, _ := writeStateDict(t, "", newSeparate("layers.0.", 24, 24, 16))
	text, err := os.ReadFile(path)
	simtest.Must(t, err)
	simtest.Must(t, os.WriteFile(path, bytes.ReplaceAll(text, []byte("F16"), []byte("I16")), 0o644))
	files, err := tensor.Open(path)
	simtest.Must(t, err)
	defer files.Close()
	if _, err := Open(files, Options{Path: path, Heads: 4}); err == nil || !strings.Contains(err.Error(),
		"q_proj.weight has the type I16") {
		t.Errorf("the error for weights of the type I16 is %v, want one that names the type", err)
	}
}

// TestLayersOfAnotherWidth checks that Open uses the larger tower of a model and reports the other
// one.
func TestLayersOfAnotherWidth(t *testing.T) {
	arrays := newSeparate("vision_tower.layers.0.self_attn.", 12, 12, 12)
	for _, i := range []string{"0", "1", "10"} {
		for name, shape := range newSeparate("language_model.model.layers."+i+".self_attn.", 24, 12, 16) {
			arrays[name] = shape
		}
	}
	m, err := open(t,
		`{"text_config":{"num_attention_heads":4,"num_key_value_heads":2,"model_type":"llama"}}`, arrays,
		Options{Tokens: 16})
	simtest.Must(t, err)
	if len(m.Layers) != 3 || m.Layers[2].Title != "10" || m.Layers[0].KeyHeads != 2 {
		t.Errorf("got %d layers, the last with the title %s, want 3 and 10", len(m.Layers),
			m.Layers[len(m.Layers)-1].Title)
	}
	const omitted = "vision_tower.layers.0.self_attn"
	if subject := strings.Join(m.Subject, "\n"); !strings.Contains(subject, omitted) {
		t.Errorf("the subject is %s\nwant it to name the omitted layer %s", subject, omitted)
	}
}

// TestActivations checks that activations of four axes are 3·5 texts.
func TestActivations(t *testing.T) {
	m, err := open(t, "", newSeparate("layers.0.self_attn.", 24, 24, 16).with("x", 3, 5, 20, 16),
		Options{Heads: 4, X: "x"})
	simtest.Must(t, err)
	if len(m.activations) != 1 || m.texts != 15 || m.CountHeadTexts() != 60 {
		t.Errorf("got %d arrays of activations, %d texts and %d heads of texts, want 1, 15 and 60", len(m.activations),
			m.texts, m.CountHeadTexts())
	}
}

// TestWorkers checks that results do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	path := "testdata/behind_layernorm/model.safetensors"
	files, err := tensor.Open(path)
	simtest.Must(t, err)
	defer files.Close()
	var results [2]string
	for i := range results {
		m, err := Open(files, Options{Path: path, Tokens: 40})
		simtest.Must(t, err)
		heads, err := m.Measure(context.Background(), inspect.Options{Scale: 1, Workers: 1 + 2*i}, func() {})
		simtest.Must(t, err)
		results[i] = fmt.Sprint(heads)
	}
	if results[0] != results[1] {
		t.Errorf("three workers give %s, want the result of one worker, %s", results[1], results[0])
	}
}

// TestManyArrays checks that all layers of a file of 100,000 arrays are found, and logs the time.
func TestManyArrays(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a file of 100,000 arrays")
	}
	arrays := shapes{}
	for i := range 100_000 / 4 {
		module := "layers." + strconv.Itoa(i) + ".self_attn."
		for _, n := range []string{"q_proj.weight", "k_proj.weight", "v_proj.weight", "o_proj.weight"} {
			arrays[module+n] = []int{2, 2}
		}
	}
	path, _ := writeStateDict(t, "", arrays)
	start := time.Now()
	files, err := tensor.Open(path)
	simtest.Must(t, err)
	defer files.Close()
	read := time.Since(start)
	m, err := Open(files, Options{Heads: 1, Tokens: 16, Path: path})
	simtest.Must(t, err)
	if len(m.Layers) != 25_000 || m.Layers[24_999].Title != "24999" {
		t.Errorf("got %d layers, want 25,000 with the last title 24999", len(m.Layers))
	}
	t.Logf("the file was opened in %v and its layers were found in %v", read, time.Since(start)-read)
}

// TestLongConfig checks that a config.json of more than 1 MiB is an error.
func TestLongConfig(t *testing.T) {
	_, err := open(t, strings.Repeat(" ", 1<<20+1), newSeparate("layers.0.", 24, 24, 16), Options{})
	if err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("the error for a long config.json is %v, want one with \"1 MiB\"", err)
	}
}
