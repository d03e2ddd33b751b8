package main

import (
	"mcsim/cmd/mcsim/program"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shellWords matches the words of a line, with their quotation marks.
var shellWords = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

// TestRefused checks that each line of testdata/refused.txt is refused: with exit code 2, nothing
// on stdout, no file, and one line on stderr that contains the text after the arrow.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string][]byte{
		"qk.npz":            readFile(t, "../../testdata/attention/saved/right.npz"),
		"model.pt":          []byte("\x80\x02}q\x00."),
		"model.safetensors": readFile(t, "../../sim/model/statedict/testdata/c_attn/model.safetensors"),
		"softmax_lse.npy":   encodeArray(4, 2, 8),
		"text.npz":          []byte("not an archive"),
		"step1.npz":         readFile(t, "../../testdata/attention/saved/right.npz"),
		"step2.npz":         readFile(t, "../../testdata/attention/saved/right.npz"),
		"step3.npz":         encodeLayers(t),
		"step4.npz":         readFile(t, "../../testdata/attention/saved/right.npz"),
		"step5.npz":         encodeArchive(t, []string{"q", "k"}, 1, 8, 16, 48),
		"step6.npz":         []byte("not an archive"),
		"key.yaml":          []byte("fnt: x"),
		"font.yaml":         []byte("font: text.npz"),
		"nofont.yaml":       []byte("font: nosuch.ttf"),
		"colour.yaml":       []byte("colours: {none: red}"),
		"label.yaml":        []byte(`labels: {"unscaled": "a $b"}`),
		"other2.npz":        readFile(t, "../../testdata/attention/saved/right.npz"),
	})
	before := listNames(t, dir)
	for line := range strings.Lines(string(readFile(t, "testdata/refused.txt"))) {
		command, expected, hasArrow := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		var args []string
		for _, word := range shellWords.FindAllString(command, -1) {
			args = append(args, strings.Trim(word, `'"`))
		}
		_, stderr, code := runIn(t, dir, args...)
		if !hasArrow {
			t.Errorf("the line %q has no arrow", line)
		}
		if code != program.BadInput {
			t.Errorf("%s: the exit code is %d, want %d", command, code, program.BadInput)
		}
		if !isOneLine(stderr) || !strings.Contains(stderr, expected) {
			t.Errorf("%s: stderr is %q, want one line with %q", command, stderr, expected)
		}
	}
	if after := listNames(t, dir); !slices.Equal(after, before) {
		t.Errorf("the refused commands leave the files %q, want %q", after, before)
	}
}
