package main

import (
	"mcsim/cmd/mcsim/program"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shellWords are the words of a line, of which a shell takes the quotation marks away.
var shellWords = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

// Each line of testdata/refused.txt is refused: with exit code 2, nothing on stdout, nothing
// written, and one line on stderr that names what stands behind the arrow.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string][]byte{
		"qk.npz":            file(t, "../../testdata/attention/saved/right.npz"),
		"model.pt":          []byte("\x80\x02}q\x00."),
		"model.safetensors": file(t, "../../sim/model/statedict/testdata/c_attn/model.safetensors"),
		"text.npz":          []byte("not an archive"),
	})
	before := list(t, dir)
	for line := range strings.Lines(string(file(t, "testdata/refused.txt"))) {
		typed, names, found := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		var args []string
		for _, word := range shellWords.FindAllString(typed, -1) {
			args = append(args, strings.Trim(word, `'"`))
		}
		_, complaint, code := runIn(t, dir, args...)
		if !found || code != program.Bad || !isOneLine(complaint) || !strings.Contains(complaint, names) {
			t.Errorf("%s ends with %d and says %q, want %q", typed, code, complaint, names)
		}
	}
	if after := list(t, dir); !slices.Equal(after, before) {
		t.Errorf("they leave %q, before %q", after, before)
	}
}
