package main

import (
	"archive/zip"
	"bytes"
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

	"mcsim/cmd/mcsim/show"
)

// architecture is a tiny state dict of testdata/architectures.json, with the logits that PyTorch
// 1.13 computes by the code of its model (testdata/architectures.py).
type architecture struct {
	Name, Source, Norm, File, Text string
	Flags                          []string
	Config                         json.RawMessage
	Arrays                         []recipe
	// Outcome is right, named, open or refused:
	//   - right: the numbers are PyTorch's, and each of Says is in the output;
	//   - named: as right, but something beside the factor changes the logits, which Says names, and a
	//     gate refuses or carries a caveat;
	//   - open: right, or named with other numbers;
	//   - said: only the number of heads is compared, and each of Says is in the output;
	//   - refused: one line on stderr, which Refusal matches.
	// A case of another outcome may be refused too if it has a Refusal.
	Outcome, Refusal string
	Says             []string
	Layers           []struct {
		Of       string
		Optional bool         // may be left out if Says names it
		Heads    [][2]float64 // mean and variance of logits
	}
}

// recipe makes an array: block·(mean + sd·u), u in [-1, 1) from splitmix64; see testdata/tiny.py.
type recipe struct {
	name, kind string
	shape      []int
	sd, mean   float64
	axis       int
	blocks     []float64
}

// UnmarshalJSON reads a list of the fields, of which the last may be missing.
func (r *recipe) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&r.name, &r.shape, &r.sd, &r.mean, &r.axis, &r.blocks, &r.kind})
}

// count returns the number of elements of the axes.
func count(shape []int) int {
	n := 1
	for _, axis := range shape {
		n *= axis
	}
	return n
}

// bytes returns the array of a case, little endian. Arrays of integers have their index as values.
func (r recipe) bytes(name string) (out []byte) {
	seed := uint64(crc32.ChecksumIEEE([]byte(name + "/" + r.name)))
	for i := range count(r.shape) {
		switch r.kind {
		case "I64":
			out = binary.LittleEndian.AppendUint64(out, uint64(i))
			continue
		case "I32":
			out = binary.LittleEndian.AppendUint32(out, uint32(i))
			continue
		case "U8", "BOOL":
			out = append(out, byte(i%2))
			continue
		}
		z := seed + uint64(i+1)*0x9E3779B97F4A7C15
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		u := float64(float64((z^z>>31)>>11)*0x1p-52) - 1
		value := r.mean + float64(r.sd*u)
		if len(r.blocks) > 0 {
			index := i / count(r.shape[r.axis+1:]) % r.shape[r.axis]
			value *= r.blocks[index*len(r.blocks)/r.shape[r.axis]]
		}
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(value)))
	}
	return out
}

// safetensors returns the arrays of a case in the format of huggingface/safetensors.
func (a architecture) safetensors(t *testing.T) []byte {
	type entry struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	header, data := map[string]entry{}, []byte(nil)
	for _, r := range a.Arrays {
		kind := r.kind
		if kind == "" {
			kind = "F32"
		}
		begin := len(data)
		data = append(data, r.bytes(a.Name)...)
		header[r.name] = entry{kind, r.shape, [2]int{begin, len(data)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
}

// npz returns the arrays of a case in NumPy's format of version 1.0.
func (a architecture) npz(t *testing.T) []byte {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	kinds := map[string]string{"": "<f4", "I64": "<i8", "I32": "<i4", "U8": "|u1", "BOOL": "|b1"}
	for _, r := range a.Arrays {
		shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(r.shape), " ", ", "), "[]")
		header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", kinds[r.kind], shape)
		header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
		file, err := archive.Create(r.name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		text := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
		if _, err := file.Write(slices.Concat(text, []byte(header), r.bytes(a.Name))); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// save writes the state dict and its config.json to a new folder and returns the path of the first.
func (a architecture) save(t *testing.T) string {
	path := filepath.Join(t.TempDir(), a.File)
	text := []byte(a.Text)
	switch {
	case a.Text != "":
	case strings.HasSuffix(a.File, ".npz"):
		text = a.npz(t)
	default:
		text = a.safetensors(t)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if string(a.Config) != "null" {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), "config.json"), a.Config, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// inspected is what the test reads of the output.
type inspected struct {
	Subject, Caveats, Notes, Warnings []string
	Heads                             []struct {
		Layer    string
		Head     int
		Mean     float64                 `json:"score_mean"`
		Variance struct{ Value float64 } `json:"score_variance"`
		Scaled   struct{ Value float64 } `json:"scaled_variance"`
	} `json:"by_head"`
}

// isRefusal reports whether the program refused the case, as it may, and complains if not in one line.
func (a architecture) isRefusal(t *testing.T, code int, complaint string) bool {
	if code != show.Bad {
		return false
	}
	if a.Refusal == "" || !isOneLine(complaint) || !regexp.MustCompile("(?i)"+a.Refusal).MatchString(complaint) {
		t.Errorf("refused: %q; want a line like %q", complaint, a.Refusal)
	}
	return true
}

// number matches the first number in the name of a layer.
var number = regexp.MustCompile(`\d+`)

// maxDifference bounds what weights in float32 do to a logit's mean, in standard deviations, and to
// its variance: some hundred products, each rounded to 2⁻²⁴ of its size, and up to ten times as
// much if terms cancel, are below 1e-4.
const maxDifference = 1e-4

// compare returns what differs from PyTorch's numbers.
func (a architecture) compare(got inspected) (all []string) {
	seen := map[string]int{}
	for _, h := range got.Heads {
		index := slices.IndexFunc(a.Layers, func(l struct {
			Of       string
			Optional bool
			Heads    [][2]float64
		}) bool {
			return l.Of == h.Layer || number.FindString(l.Of) == h.Layer
		})
		if index < 0 || h.Head >= len(a.Layers[index].Heads) {
			all = append(all, fmt.Sprintf("layer %s, head %d: there is none", h.Layer, h.Head))
			continue
		}
		seen[a.Layers[index].Of]++
		if a.Outcome == "said" {
			continue
		}
		want := a.Layers[index].Heads[h.Head]
		mean := h.Mean * math.Sqrt(h.Scaled.Value/h.Variance.Value)
		off := math.Abs(mean-want[0])/(math.Abs(want[0])+math.Sqrt(want[1])) > maxDifference
		if off || !(math.Abs(h.Scaled.Value/want[1]-1) < maxDifference) {
			all = append(all, fmt.Sprintf("layer %s, head %d: logits of mean %.6g and variance %.6g, want %.6g and %.6g",
				h.Layer, h.Head, mean, h.Scaled.Value, want[0], want[1]))
		}
	}
	for _, l := range a.Layers {
		if seen[l.Of] != len(l.Heads) && !(l.Optional && seen[l.Of] == 0) {
			all = append(all, fmt.Sprintf("layer %s: %d heads, want %d", l.Of, seen[l.Of], len(l.Heads)))
		}
	}
	return all
}

// run inspects the file of the case. It returns the parts of the output that are sentences, too.
func (a architecture) run(t *testing.T, path string, flags ...string) (got inspected, text string, refused bool) {
	arguments := slices.Concat([]string{path, "--json", "--rows"}, a.Flags, flags)
	if a.Norm != "" {
		arguments = append(arguments, "--x", "x", "--norm", a.Norm)
	}
	out, complaint, code := execute(t, "inspect", arguments...)
	complaint = strings.ReplaceAll(complaint, filepath.Dir(path), "") // it has the name of the case
	if a.isRefusal(t, code, complaint) {
		return got, "", true
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out, complaint)
	}
	text = strings.Join(slices.Concat(got.Subject, got.Caveats, got.Notes, got.Warnings), "\n")
	return got, strings.ReplaceAll(text, filepath.Dir(path), ""), false
}

// Logits of state dicts of known architectures are PyTorch's, or what keeps them from being so is said.
func TestArchitectures(t *testing.T) {
	text, err := os.ReadFile("testdata/architectures.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []architecture
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		t.Run(a.Name, func(t *testing.T) {
			path := a.save(t)
			got, said, refused := a.run(t, path)
			if refused {
				return
			}
			if a.Outcome == "refused" {
				t.Fatalf("not refused; want a line like %q", a.Refusal)
			}
			var differences []string
			if len(a.Layers) > 0 || a.Outcome != "said" {
				differences = a.compare(got)
			}
			isNamed := true
			for _, phrase := range a.Says {
				isNamed = isNamed && regexp.MustCompile("(?i)"+phrase).MatchString(said)
			}
			if a.Outcome == "open" && len(differences) == 0 {
				return
			}
			if len(differences) > 0 && a.Outcome != "open" {
				t.Errorf("%s\n%s", strings.Join(differences, "\n"), said)
			}
			if !isNamed {
				t.Errorf("the output does not say %q:\n%s", a.Says, said)
			}
			if a.Outcome == "right" || a.Outcome == "said" {
				return
			}
			gated := a
			gated.Refusal = "."
			got, _, refused = gated.run(t, path, "--gate", "0.01..100")
			caveats := strings.Join(got.Caveats, "; ")
			if !refused && !regexp.MustCompile("(?i)"+a.Says[0]).MatchString(caveats) {
				t.Errorf("a gate neither refuses nor has a caveat of %q: %q", a.Says[0], caveats)
			}
		})
	}
}
