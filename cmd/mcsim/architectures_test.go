package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/program"
)

// architecture is a tiny state dict of testdata/architectures.json, with the logits that PyTorch
// 1.13 computes with the code of its model (testdata/architectures.py).
type architecture struct {
	Name   string
	Norm   string // before W_Q, which takes the array x; empty if tokens are drawn
	Text   string // of the file, if it is no state dict
	Flags  []string
	Config json.RawMessage
	Arrays []recipe
	// Outcome is right, named, open, said or refused:
	//   - right: the numbers are PyTorch's, each of Says is in the output, and a gate does not refuse;
	//   - named: the numbers are those of the factor, but the model changes its logits further, which
	//     Says names, and a gate refuses or has a caveat;
	//   - open: right, or named with other numbers;
	//   - said: only the number of heads is compared, and each of Says is in the output;
	//   - refused: one line on stderr, which Refusal matches.
	// A case of another outcome may be refused too if it has a Refusal.
	Outcome, Refusal string
	Says             []string
	Layers           []expectedLayer
}

// expectedLayer has the expected logits of a layer.
type expectedLayer struct {
	Module   string       `json:"of"` // module of the arrays
	Optional bool         // may be left out if Says names it
	Heads    [][2]float64 // mean and variance
}

// recipe describes an array: block·(mean + sd·u), with u in [-1, 1) from splitmix64; see
// testdata/tiny.py.
type recipe struct {
	name, kind string
	shape      []int
	sd, mean   float64
	axis       int
	blocks     []float64
}

// UnmarshalJSON reads a list of the fields; the last fields may be missing.
func (r *recipe) UnmarshalJSON(text []byte) error {
	r.kind = "F32"
	return json.Unmarshal(text, &[]any{&r.name, &r.shape, &r.sd, &r.mean, &r.axis, &r.blocks, &r.kind})
}

// elementBytes has the sizes of elements of types other than F32.
var elementBytes = map[string]int{"I64": 8, "I32": 4, "U8": 1, "F8_E4M3": 1}

// countElements returns the number of elements of an array of a shape.
func countElements(shape []int) int {
	n := 1
	for _, axis := range shape {
		n *= axis
	}
	return n
}

// encode returns the array of a case, little endian. In types other than F32 all elements are 0.
func (r recipe) encode(name string) (data []byte) {
	if r.kind != "F32" {
		return make([]byte, elementBytes[r.kind]*countElements(r.shape))
	}
	seed := uint64(crc32.ChecksumIEEE([]byte(name + "/" + r.name)))
	for i := range countElements(r.shape) {
		z := seed + uint64(i+1)*0x9E3779B97F4A7C15
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		u := float64(float64((z^z>>31)>>11)*0x1p-52) - 1
		value := r.mean + float64(r.sd*u)
		if len(r.blocks) > 0 {
			index := i / countElements(r.shape[r.axis+1:]) % r.shape[r.axis]
			value *= r.blocks[index*len(r.blocks)/r.shape[r.axis]]
		}
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(value)))
	}
	return data
}

// save writes the state dict in the format of huggingface/safetensors, and its config.json, to a
// new folder. It returns the path of the state dict.
func (a architecture) save(t *testing.T) string {
	header, data := map[string]any{}, []byte(nil)
	for _, r := range a.Arrays {
		begin := len(data)
		data = append(data, r.encode(a.Name)...)
		header[r.name] = map[string]any{"dtype": r.kind, "shape": r.shape, "data_offsets": [2]int{begin, len(data)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	text = slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
	if a.Text != "" {
		text = []byte(a.Text)
	}
	files := map[string][]byte{"model.safetensors": text}
	if string(a.Config) != "null" {
		files["config.json"] = a.Config
	}
	folder := t.TempDir()
	writeFiles(t, folder, files)
	return filepath.Join(folder, "model.safetensors")
}

// inspectOutput has the fields of the output that the test reads.
type inspectOutput struct {
	Subject, Caveats, Notes, Warnings []string
	Heads                             []struct {
		Layer    string
		Head     int
		Mean     float64                 `json:"score_mean"`
		Variance struct{ Value float64 } `json:"score_variance"`
		Scaled   struct{ Value float64 } `json:"scaled_variance"`
	} `json:"by_head"`
}

// joinSentences returns all sentences of the output.
func (i inspectOutput) joinSentences() string {
	return strings.Join(slices.Concat(i.Subject, i.Caveats, i.Notes, i.Warnings), "\n")
}

// containsPhrase reports whether a text matches a regular expression, ignoring case.
func containsPhrase(phrase, text string) bool {
	return regexp.MustCompile("(?i)" + phrase).MatchString(text)
}

// inspect runs mcsim inspect on the file of the case. If the file is refused, the error must be
// one line that matches phrase.
func (a architecture) inspect(t *testing.T, path, phrase string, flags ...string) (got inspectOutput, isRefused bool) {
	stdout, stderr, code := runHere(slices.Concat([]string{"inspect", path, "--json", "--rows"}, a.Flags,
		flags)...)
	folder := filepath.Dir(path) // its name has the name of the case
	if stderr = strings.ReplaceAll(stderr, folder, ""); code == program.BadInput {
		if phrase == "" || !isOneLine(stderr) || !containsPhrase(phrase, stderr) {
			t.Errorf("refused: %q; want a line with %q", stderr, phrase)
		}
		return got, true
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(stdout, folder, "")), &got); err != nil {
		t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
	}
	return got, false
}

// layerNumber matches the number of a layer in its name, not that of a model such as dinov2.
var layerNumber = regexp.MustCompile(`(?:[._/]|/h)(\d+)`)

// maxDifference bounds what weights in float32 do to a logit's mean, in standard deviations, and to
// its variance: some hundred products, each rounded to 2⁻²⁴ of its size, and up to ten times as
// much if terms cancel, are below 1e-4.
const maxDifference = 1e-4

// findDifferences returns what differs from PyTorch's numbers.
func (a architecture) findDifferences(got inspectOutput) (differences []string) {
	headCount := map[string]int{}
	for _, h := range got.Heads {
		index := slices.IndexFunc(a.Layers, func(l expectedLayer) bool {
			number := layerNumber.FindStringSubmatch(l.Module)
			return l.Module == h.Layer || number != nil && number[1] == h.Layer
		})
		if index < 0 || h.Head >= len(a.Layers[index].Heads) {
			differences = append(differences, fmt.Sprintf("layer %s, head %d: there is none", h.Layer, h.Head))
			continue
		}
		headCount[a.Layers[index].Module]++
		if a.Outcome == "said" {
			continue
		}
		want := a.Layers[index].Heads[h.Head]
		mean := h.Mean * math.Sqrt(h.Scaled.Value/h.Variance.Value)
		distance := math.Abs(mean-want[0]) / (math.Abs(want[0]) + math.Sqrt(want[1]))
		if !(distance < maxDifference && math.Abs(h.Scaled.Value/want[1]-1) < maxDifference) {
			differences = append(differences,
				fmt.Sprintf("layer %s, head %d: logits of mean %.6g and variance %.6g, want %.6g and %.6g",
					h.Layer, h.Head, mean, h.Scaled.Value, want[0], want[1]))
		}
	}
	for _, l := range a.Layers {
		if headCount[l.Module] != len(l.Heads) && !(l.Optional && headCount[l.Module] == 0) {
			differences = append(differences,
				fmt.Sprintf("layer %s: %d heads, want %d", l.Module, headCount[l.Module], len(l.Heads)))
		}
	}
	return differences
}

// check inspects the file twice: with the tokens x against PyTorch, and with a gate. The gate uses
// drawn tokens, since the input of one layer does not justify a verdict on all layers.
func (a architecture) check(t *testing.T) {
	t.Parallel()
	path := a.save(t)
	var tokens []string
	if a.Norm != "" {
		tokens = []string{"--x", "x", "--norm", a.Norm}
	}
	got, isRefused := a.inspect(t, path, a.Refusal, tokens...)
	if isRefused {
		return
	}
	if a.Outcome == "refused" {
		t.Fatalf("not refused; want a line with %q", a.Refusal)
	}
	differences := a.findDifferences(got)
	isRight := len(differences) == 0 || a.Outcome == "said" && len(a.Layers) == 0
	isNamed := !slices.ContainsFunc(a.Says,
		func(phrase string) bool { return !containsPhrase(phrase, got.joinSentences()) })
	if !isRight && a.Outcome != "open" || !isNamed && !(isRight && a.Outcome == "open") {
		t.Errorf("%s\nwant the phrases %q in\n%s", strings.Join(differences, "\n"), a.Says, got.joinSentences())
	}
	isDoubted := a.Outcome == "named" || a.Outcome == "open" && !isRight
	phrase := "."
	if a.Outcome == "right" {
		phrase = a.Refusal
	}
	got, isRefused = a.inspect(t, path, phrase, "--gate", "0.01..100")
	if caveats := strings.Join(got.Caveats, "; "); isDoubted && !isRefused && !containsPhrase(a.Says[0], caveats) {
		t.Errorf("a gate neither refuses nor has a caveat of %q: %q", a.Says[0], caveats)
	}
}

// TestArchitectures compares the logits of state dicts of known architectures with PyTorch. If
// they differ, the output must give the reason.
func TestArchitectures(t *testing.T) {
	text, err := os.ReadFile("testdata/architectures.json")
	if err != nil {
		t.Fatal(err)
	}
	var architectures []architecture
	if err := json.Unmarshal(text, &architectures); err != nil {
		t.Fatal(err)
	}
	for _, a := range architectures {
		t.Run(a.Name, a.check)
	}
}
