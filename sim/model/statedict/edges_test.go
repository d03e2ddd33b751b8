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

// shapes are arrays by name.
type shapes map[string][]int

// opened finds the layers of arrays.
func opened(t *testing.T, config string, arrays shapes, o Options) (*Model, error) {
	t.Helper()
	var files *tensor.Files
	o.Path, files = file(t, config, arrays)
	return Open(files, o)
}

// separateOf are W_Q and W_K of a layer.
func separateOf(prefix string, q, k, width int) shapes {
	return shapes{prefix + "q_proj.weight": {q, width}, prefix + "k_proj.weight": {k, width}}
}

// join puts arrays together.
func join(all ...shapes) shapes {
	out := shapes{}
	for _, s := range all {
		maps.Copy(out, s)
	}
	return out
}

// with adds arrays.
func (s shapes) with(name string, shape ...int) shapes {
	s[name] = shape
	return s
}

// Whole numbers are weights that some scale belongs to.
func TestQuantised(t *testing.T) {
	path, _ := file(t, "", separateOf("layers.0.", 24, 24, 16))
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

// Of a model that sees and reads, the layers of the greater part are taken, and what is left out is
// said.
func TestLayersOfAnotherWidth(t *testing.T) {
	all := separateOf("vision_tower.layers.0.self_attn.", 12, 12, 12)
	for _, i := range []string{"0", "1", "10"} {
		for name, shape := range separateOf("language_model.model.layers."+i+".self_attn.", 24, 12, 16) {
			all[name] = shape
		}
	}
	m, err := opened(t,
		`{"text_config":{"num_attention_heads":4,"num_key_value_heads":2,"model_type":"llama"}}`, all,
		Options{Tokens: 16})
	simtest.Must(t, err)
	if len(m.Layers) != 3 || m.Layers[2].Title != "10" || m.Layers[0].KeyHeads != 2 {
		t.Errorf("%d layers, the last %v", len(m.Layers), m.Layers[len(m.Layers)-1].Title)
	}
	if notes := strings.Join(m.Subject, "\n"); !strings.Contains(notes, "vision_tower.layers.0.self_attn") {
		t.Errorf("%s\ndoes not name what is left out", notes)
	}
}

// All texts of activations are taken.
func TestActivations(t *testing.T) {
	m, err := opened(t, "", separateOf("layers.0.self_attn.", 24, 24, 16).with("x", 3, 5, 20, 16),
		Options{Heads: 4, X: "x"})
	simtest.Must(t, err)
	if len(m.x) != 1 || m.texts != 15 || m.Count() != 60 {
		t.Errorf("%d texts, %d heads of them", m.texts, m.Count())
	}
}

// The number of workers changes no bit.
func TestWorkers(t *testing.T) {
	path := "testdata/behind_layernorm/model.safetensors"
	files, err := tensor.Open(path)
	simtest.Must(t, err)
	defer files.Close()
	var of [2]string
	for i := range of {
		m, err := Open(files, Options{Path: path, Tokens: 40})
		simtest.Must(t, err)
		all, err := m.Measure(context.Background(), inspect.Options{Scale: 1, Workers: 1 + 2*i}, func() {})
		simtest.Must(t, err)
		of[i] = fmt.Sprint(all)
	}
	if of[0] != of[1] {
		t.Errorf("%s by one worker, %s by three", of[0], of[1])
	}
}

// A file of many arrays is searched in a moment.
func TestManyArrays(t *testing.T) {
	arrays := shapes{}
	if testing.Short() {
		t.Skip("a moment")
	}
	for i := range 100_000 / 4 {
		at := "layers." + strconv.Itoa(i) + ".self_attn."
		for _, n := range []string{"q_proj.weight", "k_proj.weight", "v_proj.weight", "o_proj.weight"} {
			arrays[at+n] = []int{2, 2}
		}
	}
	path, _ := file(t, "", arrays)
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

// A config.json of more than 1 MiB is refused.
func TestLongConfig(t *testing.T) {
	_, err := opened(t, strings.Repeat(" ", 1<<20+1), separateOf("layers.0.", 24, 24, 16), Options{})
	if err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("taken: %v", err)
	}
}
