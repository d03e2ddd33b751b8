package modelconfig

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestCases requires what testdata/cases.txt says of its configs.
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
		t.Errorf("%d cases", count)
	}
}

// checkCase compares what a config says with the fields of a case.
func checkCase(t *testing.T, fields map[string]string) {
	c := mustParse(t, fields["config"])
	said := map[string]string{"place": cmp.Or(c.NormPlace(), "none"), "plusone": fmt.Sprint(c.PlusOne()),
		"doubt": cmp.Or(strings.Join(c.Scores(0, 64).Doubts(), "; "), "none")}
	width, _ := strconv.Atoi(fields["width"])
	s, err := mustParse(t, fields["config"]).For(fields["array"]).Shape(fields["array"], width)
	if said["shape"] = fmt.Sprint(s.Heads, s.KeyHeads, s.Dimension); err != nil {
		said["shape"], said["error"] = "", err.Error()
	}
	all, err := mustParse(t, fields["config"]).LayerScores()
	if len(all) == 1 && err == nil {
		said["d_k"] = strconv.Itoa(all[0].Dimension)
		said["open"] = cmp.Or(strings.Join(all[0].Scores.Open, "; "), "none")
	}
	if err != nil {
		said["refused"] = ""
	}
	for key, want := range fields {
		got, ok := said[key]
		isPart := key == "doubt" || key == "error" || key == "open"
		switch {
		case strings.Contains("# case config array width", key):
		case !ok, isPart && !strings.Contains(got, want), !isPart && got != want:
			t.Errorf("%s: %q, want %q (%v)", key, got, want, err)
		}
	}
}
