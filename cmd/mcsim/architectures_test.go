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
	Norm   string // norm of the array x before W_Q; if empty, tokens are drawn in place of x
	Text   string // text of the file if it is not a state dict
	Flags  []string
	Config json.RawMessage
	Arrays []recipe
	// Outcome is the result that the test requires:
	//   - right: the numbers are equal to PyTorch's, the output has every phrase of Says, and a gate judges;
	//   - named: the numbers are right for the factor of q·k, but the model changes its logits in a
	//     further way; the phrases of Says name this change, and a gate refuses to judge or has a caveat;
	//   - open: like right; or like named, and the numbers may differ;
	//   - said: only the number of heads is compared, and the output has every phrase of Says;
	//   - refused: mcsim prints one line on stderr, which Refusal matches.
	// If Refusal is not empty, mcsim may also refuse a case with another outcome.
	Outcome, Refusal string
	Says             []string
	Layers           []expectedLayer
}

// expectedLayer has the expected logits of a layer.
type expectedLayer struct {
	Module   string       `json:"of"` // module that has the arrays of the layer
	Optional bool         // the output may lack the layer if Says names it
	Heads    [][2]float64 // mean and variance of the logits of each head
}

// recipe describes how the elements of an array are made: block·(mean + sd·u). u is a pseudo-random
// number in [-1, 1) from splitmix64. block is an element of blocks: the array is divided into as
// many equal blocks along axis. testdata/tiny.py makes the same arrays.
type recipe struct {
	name, kind string
	shape      []int
	sd, mean   float64
	axis       int
	blocks     []float64
}

// UnmarshalJSON reads a JSON list of the fields. The last fields may be missing.
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

// encode returns the little-endian bytes of the array for the case with the given name. The
// elements of types other than F32 are 0.
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

func (o inspectOutput) joinSentences() string {
	return strings.Join(slices.Concat(o.Subject, o.Caveats, o.Notes, o.Warnings), "\n")
}

// containsPhrase reports whether a text matches a regular expression, ignoring case.
func containsPhrase(phrase, text string) bool {
	return regexp.MustCompile("(?i)" + phrase).MatchString(text)
}

// inspect runs mcsim inspect on the file of the case. If mcsim refuses the file, the error must be
// one line that matches phrase.
func (a architecture) inspect(t *testing.T, path, phrase string, flags ...string) (got inspectOutput, isRefused bool) {
	stdout, stderr, code := runHere(slices.Concat([]string{"inspect", path, "--json", "--rows"}, a.Flags,
		flags)...)
	folder := filepath.Dir(path) // removed, since the name of the case in it might match the phrase
	stderr = strings.ReplaceAll(stderr, folder, "")
	if code == program.BadInput {
		switch {
		case phrase == "":
			t.Errorf("the file is refused: %q", stderr)
		case !isOneLine(stderr) || !containsPhrase(phrase, stderr):
			t.Errorf("the error is %q, want one line with %q", stderr, phrase)
		}
		return got, true
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(stdout, folder, "")), &got); err != nil {
		t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
	}
	return got, false
}

// layerNumber matches the number of a layer in its name. It does not match a number in the name of
// a model, such as dinov2.
var layerNumber = regexp.MustCompile(`(?:[._/]|/h)(\d+)`)

// maxDifference is the largest difference that rounding in float32 can cause in the mean of logits
// (in standard deviations) and in their variance (relative). A logit is a sum of some hundred
// products, each with a relative error of 2⁻²⁴. Even if terms cancel and the error is ten times as
// large, it is below 1e-4.
const maxDifference = 1e-4

// findDifferences returns the differences of the output from PyTorch's numbers, one sentence for
// each.
func (a architecture) findDifferences(got inspectOutput) (differences []string) {
	headCount := map[string]int{}
	for _, h := range got.Heads {
		index := slices.IndexFunc(a.Layers, func(l expectedLayer) bool {
			number := layerNumber.FindStringSubmatch(l.Module)
			hasNumber := number != nil && number[1] == h.Layer
			return l.Module == h.Layer || hasNumber
		})
		if index < 0 || h.Head >= len(a.Layers[index].Heads) {
			differences = append(differences, fmt.Sprintf("layer %s, head %d: PyTorch has no such head", h.Layer, h.Head))
			continue
		}
		headCount[a.Layers[index].Module]++
		if a.Outcome == "said" {
			continue
		}
		wantMean, wantVariance := a.Layers[index].Heads[h.Head][0], a.Layers[index].Heads[h.Head][1]
		scale := math.Sqrt(h.Scaled.Value / h.Variance.Value)
		mean := h.Mean * scale
		meanDifference := math.Abs(mean-wantMean) / (math.Abs(wantMean) + math.Sqrt(wantVariance))
		varianceDifference := math.Abs(h.Scaled.Value/wantVariance - 1)
		if !(meanDifference < maxDifference && varianceDifference < maxDifference) { // true for NaN, too
			differences = append(differences,
				fmt.Sprintf("layer %s, head %d: logits have mean %.6g and variance %.6g, want %.6g and %.6g",
					h.Layer, h.Head, mean, h.Scaled.Value, wantMean, wantVariance))
		}
	}
	for _, l := range a.Layers {
		isOmitted := l.Optional && headCount[l.Module] == 0
		if headCount[l.Module] != len(l.Heads) && !isOmitted {
			differences = append(differences,
				fmt.Sprintf("layer %s: the output has %d heads, want %d", l.Module, headCount[l.Module], len(l.Heads)))
		}
	}
	return differences
}

// check inspects the file twice. The first inspection uses the tokens x, and its numbers are
// compared with PyTorch's. The second has a gate and uses drawn tokens, since the input of one
// layer does not justify a verdict on all layers.
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
		t.Fatalf("the file is not refused, want an error with %q", a.Refusal)
	}
	differences := a.findDifferences(got)
	isOpen := a.Outcome == "open"
	hasNoNumbers := a.Outcome == "said" && len(a.Layers) == 0 // PyTorch has no numbers to compare
	isRight := len(differences) == 0 || hasNoNumbers
	isMissing := func(phrase string) bool { return !containsPhrase(phrase, got.joinSentences()) }
	if !isRight && !isOpen {
		t.Errorf("the numbers differ from PyTorch's:\n%s", strings.Join(differences, "\n"))
	}
	if needsPhrases := !isOpen || !isRight; needsPhrases && slices.ContainsFunc(a.Says, isMissing) {
		t.Errorf("the output lacks one of the phrases %q:\n%s\n%s", a.Says, got.joinSentences(),
			strings.Join(differences, "\n"))
	}
	isDoubted := a.Outcome == "named" || isOpen && !isRight
	phrase := "." // any refusal
	if a.Outcome == "right" {
		phrase = a.Refusal
	}
	got, isRefused = a.inspect(t, path, phrase, "--gate", "0.01..100")
	if caveats := strings.Join(got.Caveats, "; "); isDoubted && !isRefused && !containsPhrase(a.Says[0], caveats) {
		t.Errorf("a gate judges without a caveat that matches %q; its caveats are %q", a.Says[0], caveats)
	}
}

// TestArchitectures compares the mean and the variance of the logits of tiny state dicts with
// PyTorch's, to the tolerance maxDifference. If they differ, the output must give the reason.
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
