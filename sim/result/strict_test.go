package result

import (
	"errors"
	"strings"
	"testing"
)

type record struct {
	Seed   int            `json:"seed"`
	Name   string         `json:"name"`
	Params map[string]any `json:"params"`
	Rows   []record       `json:"rows"`
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\n`seed`: 7,\n`name`: `a`,\n`seed`: 8}", "repeated key: seed, the second time on line 4"},
		{"{`rows`: [\n{},\n{`params`: {`distribution`: 1,\n`distribution`: 1}}]}",
			"repeated key: rows[1].params.distribution, the second time on line 4"},
		{"{\n`seed`: 7, `s\\u0065ed`: 8}", "repeated key: seed, the second time on line 2"},
		{"{\n`seed`: 7,\n`Seed`: 8}", "unknown field on line 3: Seed"},
		{"{`rows`: [{`sead`: 1}]}", "unknown field on line 1: rows[0].sead"},
		{"{\n`seed`:\n`x`}", "wrong value on line 3: seed cannot be a text"},
		{"{`seed`: 1e99}", "wrong value on line 1: seed cannot be this number"},
		{"[]", "wrong value on line 1: the text cannot be a list"},
		{"{`seed`: 7", "truncated JSON: the text ends at byte 10"},
		{"{`name`: `ab", "truncated JSON: the text ends at byte 12"},
		{"", "truncated JSON: the text ends at byte 0"},
		{"{\n\n!}", "invalid JSON: line 3: "},
		{"{}\n{}", "invalid JSON: line 2: "},
	} {
		text, want := strings.ReplaceAll(c.text, "`", `"`), c.want
		err := Unmarshal([]byte(text), new(record), KnownOnly)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one line that begins with %q", text, err, want)
			continue
		}
		isDuplicate, wantDuplicate := errors.Is(err, ErrDuplicateKey), strings.HasPrefix(want, "repeated key")
		if isDuplicate != wantDuplicate {
			t.Errorf("%q: error %q is ErrDuplicateKey: %v, want %v", text, err, isDuplicate, wantDuplicate)
		}
		isTruncated, wantTruncated := errors.Is(err, ErrTruncated), strings.HasPrefix(want, "truncated JSON")
		if isTruncated != wantTruncated {
			t.Errorf("%q: error %q is ErrTruncated: %v, want %v", text, err, isTruncated, wantTruncated)
		}
	}
}

// TestUnknownFields checks that unknown fields are accepted without KnownOnly, but repeated keys
// are not.
func TestUnknownFields(t *testing.T) {
	if err := Unmarshal([]byte(`{"new": {"a": [1]}, "seed": 3}`), new(record)); err != nil {
		t.Error(err)
	}
	if err := Unmarshal([]byte(`{"new": {"a": 1, "a": 2}, "seed": 3}`), new(record)); !errors.Is(err, ErrDuplicateKey) {
		t.Errorf("a repeated key of an unknown field: error %v, want %v", err, ErrDuplicateKey)
	}
}
