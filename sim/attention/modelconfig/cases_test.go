package modelconfig

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestCases runs the cases of testdata/cases.txt, whose head describes them.
func TestCases(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for paragraph := range strings.SplitSeq(string(text), "\n\n") {
		fields := map[string]string{}
		for line := range strings.Lines(paragraph) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			fields[key] = value
		}
		if name, ok := fields["case"]; ok {
			count++
			t.Run(name, func(t *testing.T) { checkCase(t, fields) })
		}
	}
	if count < 60 {
		t.Errorf("cases.txt has %d cases, want at least 60", count)
	}
}

// checkCase compares the results for a config with the fields of a case.
func checkCase(t *testing.T, fields map[string]string) {
	c := mustParse(t, fields["config"])
	got := map[string]string{"place": cmp.Or(c.NormPosition(), "none"), "plusone": fmt.Sprint(c.AddsOneToGain()),
		"doubt": cmp.Or(strings.Join(c.Scores(0, 64).Doubts(), "; "), "none")}
	width, _ := strconv.Atoi(fields["width"])
	s, err := mustParse(t, fields["config"]).ForArray(fields["array"]).Shape(fields["array"], width)
	if err == nil {
		got["shape"] = fmt.Sprint(s.Heads, s.KeyHeads, s.Dimension)
	} else {
		got["shape"], got["error"] = "", err.Error()
	}
	groups, err := mustParse(t, fields["config"]).LayerScores()
	switch {
	case err != nil:
		got["refused"] = ""
	case len(groups) == 1:
		got["d_k"] = strconv.Itoa(groups[0].Dimension)
		got["open"] = cmp.Or(strings.Join(groups[0].Scores.Unresolved, "; "), "none")
	}
	for key, want := range fields {
		value, isResult := got[key]
		switch key {
		case "", "#", "case", "config", "array", "width": // not a wanted result
		case "doubt", "error", "open":
			if !isResult || !strings.Contains(value, want) {
				t.Errorf("%s: got %q, want a text that contains %q (error of LayerScores: %v)", key, value, want, err)
			}
		default:
			if !isResult || value != want {
				t.Errorf("%s: got %q, want %q (error of LayerScores: %v)", key, value, want, err)
			}
		}
	}
}
