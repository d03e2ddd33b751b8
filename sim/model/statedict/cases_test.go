package statedict

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// testCase is a paragraph of testdata/cases.txt.
type testCase struct {
	name, config string
	options      Options
	arrays       shapes
	expectations [][2]string // a kind of text, and a part that the text must contain
}

// readCase parses a paragraph. The name of the case is empty if the paragraph is a comment.
func readCase(t *testing.T, paragraph string) testCase {
	c := testCase{arrays: shapes{}}
	for line := range strings.Lines(paragraph) {
		kind, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch kind {
		case "", "#":
		case "case":
			c.name = rest
		case "config":
			c.config = rest
		case "options":
			simtest.Must(t, json.Unmarshal([]byte(rest), &c.options))
		case "array":
			sizes, name, _ := strings.Cut(rest, " ")
			var shape []int
			for size := range strings.SplitSeq(sizes, "×") {
				n, err := strconv.Atoi(size)
				simtest.Must(t, err)
				shape = append(shape, n)
			}
			c.arrays[strings.ReplaceAll(name, `\n`, "\n")] = shape
		default:
			c.expectations = append(c.expectations, [2]string{kind, rest})
		}
	}
	return c
}

// check opens the state dict and checks that its texts contain the expected parts. A kind with the
// prefix "no" requires that a part is not contained, and the part "none" that the text is empty.
func (c testCase) check(t *testing.T) {
	if c.options.Tokens == 0 {
		c.options.Tokens = 16
	}
	m, err := open(t, c.config, c.arrays, c.options)
	texts := map[string]string{"refused": fmt.Sprint(err)}
	if err == nil {
		texts = map[string]string{"subject": strings.Join(m.Subject, "\n"), "caveat": strings.Join(m.Caveats, "; "),
			"doubt": strings.Join(append(m.Doubts, m.Scales...), "\n"), "norm": m.norm,
			"note": strings.Join(m.Notes, "\n"), "gain": "no", "taken": ""}
		if m.Layers[0].gain != nil {
			texts["gain"] = "yes"
		}
	}
	if strings.Contains(texts["refused"], "\n") {
		t.Errorf("the error has several lines: %s", err)
	}
	for _, want := range c.expectations {
		kind, part := want[0], want[1]
		text, ok := texts[kind]
		isUnwanted := false
		if !ok {
			kind, isUnwanted = strings.CutPrefix(kind, "no")
			text, ok = texts[kind]
		}
		isMet := strings.Contains(text, part) != isUnwanted
		if part == "none" {
			isMet = text == ""
		}
		switch {
		case !ok:
			t.Errorf("there is no text %s (error %v), want %s %q", kind, err, want[0], part)
		case !isMet:
			t.Errorf("the text %s is %q, want %s %q", kind, text, want[0], part)
		}
	}
}

// TestCases checks the state dicts in testdata/cases.txt.
func TestCases(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.txt")
	simtest.Must(t, err)
	count := 0
	for paragraph := range strings.SplitSeq(string(text), "\n\n") {
		if c := readCase(t, paragraph); c.name != "" {
			count++
			t.Run(c.name, c.check)
		}
	}
	if count < 100 {
		t.Errorf("testdata/cases.txt has %d cases, want 100 at least", count)
	}
}
