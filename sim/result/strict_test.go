package result

import (
	"errors"
	"strings"
	"testing"
)

// row is a value with a list, a mapping, and fields of two kinds.
type row struct {
	Seed   int            `json:"seed"`
	Name   string         `json:"name"`
	Params map[string]any `json:"params"`
	Rows   []row          `json:"rows"`
}

// What is refused is said in one line, with its place.
func TestUnmarshalRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"seed\": 7,\n\"name\": \"a\",\n\"seed\": 8}":                                "has a key twice: seed, the second time on line 4",
		"{\"rows\": [\n{},\n{\"params\": {\"distribution\": 1,\n\"distribution\": 1}}]}": "has a key twice: rows[1].params.distribution, the second time on line 4",
		"{\n\"seed\": 7, \"s\\u0065ed\": 8}":                                             "has a key twice: seed, the second time on line 2",
		"{\n\"seed\": 7,\n\"Seed\": 8}":                                                  "has an unknown field on line 3: Seed",
		"{\"rows\": [{\"sead\": 1}]}":                                                    "has an unknown field on line 1: rows[0].sead",
		"{\n\"seed\":\n\"x\"}":                                                           "has on line 3 what does not belong in seed: a text",
		"{\"seed\": 1e99}":                                                               "has on line 1 what does not belong in seed: this number",
		"[]":                                                                             "has on line 1 what does not belong in the whole: a list",
		"{\"seed\": 7":                                                                   "is cut short: it ends at byte 10",
		"{\"name\": \"ab":                                                                "is cut short: it ends at byte 12",
		"":                                                                               "is cut short: it ends at byte 0",
		"{\n\n!}":                                                                        "is not JSON: line 3: ",
		"{}\n{}":                                                                         "is not JSON: line 2: ",
	} {
		err := Unmarshal([]byte(text), new(row), KnownOnly)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
			continue
		}
		if errors.Is(err, ErrTwice) != strings.Contains(want, "twice") || errors.Is(err, ErrTruncated) != strings.Contains(want, "cut short") {
			t.Errorf("%q: the kind of %v", text, err)
		}
	}
}

// Fields that nobody asked for are fine where they need not be known; a key twice is not.
func TestUnknownFields(t *testing.T) {
	if err := Unmarshal([]byte(`{"new": {"a": [1]}, "seed": 3}`), new(row)); err != nil {
		t.Error(err)
	}
	if err := Unmarshal([]byte(`{"new": {"a": 1, "a": 2}, "seed": 3}`), new(row)); !errors.Is(err, ErrTwice) {
		t.Errorf("a key twice in what nobody reads: %v", err)
	}
}
