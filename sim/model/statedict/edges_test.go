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

// newSeparate returns W_Q and W_K of a layer.
func newSeparate(prefix string, q, k, width int) shapes {
	return shapes{prefix + "q_proj.weight": {q, width}, prefix + "k_proj.weight": {k, width}}
}

func join(all ...shapes) shapes {
	joined := shapes{}
	for _, s := range all {
		maps.Copy(joined, s)
	}
	return joined
}

// with adds an array.
func (s shapes) with(name string, shape ...int) shapes {
	s[name] = shape
	return s
}

// TestQuantised checks that integer weights are refused.
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
		t.Errorf("taken: %v", err)
	}
}

// TestLayersOfAnotherWidth checks that the larger part of a model is used and the other is
// reported.
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
		t.Errorf("%d layers, the last %v", len(m.Layers), m.Layers[len(m.Layers)-1].Title)
	}
	if notes := strings.Join(m.Subject, "\n"); !strings.Contains(notes, "vision_tower.layers.0.self_attn") {
		t.Errorf("%s\ndoes not name what is left out", notes)
	}
}

func TestActivations(t *testing.T) {
	m, err := open(t, "", newSeparate("layers.0.self_attn.", 24, 24, 16).with("x", 3, 5, 20, 16),
		Options{Heads: 4, X: "x"})
	simtest.Must(t, err)
	if len(m.activations) != 1 || m.texts != 15 || m.CountHeadTexts() != 60 {
		t.Errorf("%d texts, %d heads of them", m.texts, m.CountHeadTexts())
	}
}

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
		t.Errorf("%s by one worker, %s by three", results[0], results[1])
	}
}

// TestManyArrays logs the time for a file of 100,000 arrays.
func TestManyArrays(t *testing.T) {
	arrays := shapes{}
	if testing.Short() {
		t.Skip("a moment")
	}
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
		t.Errorf("%d layers", len(m.Layers))
	}
	t.Logf("read in %v, found in %v", read, time.Since(start)-read)
}

func TestLongConfig(t *testing.T) {
	_, err := open(t, strings.Repeat(" ", 1<<20+1), newSeparate("layers.0.", 24, 24, 16), Options{})
	if err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("taken: %v", err)
	}
}
