package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// newDocument returns a document with an element in every list and 40 estimates.
func newDocument() *Document {
	n := int64(385)
	d := &Document{
		Kernel: 1, Seed: 1 << 53, Plan: json.RawMessage(`{"name":"x","experiments":[1,2]}`),
		Cells: []Cell{{ID: "variance/normal/d_k=64", Unit: "pair", N: 2048, Blocks: 8}},
		Curves: []Curve{{Experiment: "exponents", Quantity: "q", Params: Params{"exponent": 0.5}, Axis: "d_k",
			X: []Number{1, 2}, Y: []Number{1, Number(math.NaN())}, Kind: "exact"}},
		Gates: []Gate{{Name: "unit variance", Expect: "inside", Params: Params{"distribution": "normal"}, Value: 64.02,
			Band: [2]Number{63.36, 64.64}, Verdict: Undecided, NToDecide: &n},
			{Name: "no number decides", Verdict: Undecided}},
		Budget:  Budget{Alpha: 1e-6, Beta: 1e-6, Gates: 2, Verdict: Undecided},
		Schemes: []Scheme{{Experiment: "init", Name: "t5", Logit: "1"}},
		Models:  []Model{{Name: "T5-base", Model: 768, Key: 64, Heads: 12}},
		Examples: []Example{{ID: "three", Steps: []Step{
			{Name: "weights", Shape: []int{1, 2}, Columns: []string{"a", "b"}, Value: []Number{0.25, Absent()}},
		}}},
		Warnings: []Warning{{Cell: "c", Quantity: "q", Text: `a <b> "c" & d`}},
	}
	for i := range 40 {
		d.Estimates = append(d.Estimates, Estimate{
			Experiment: "variance", Cell: fmt.Sprintf("variance/normal/d_k=%d", i),
			Params:   Params{"distribution": "normal", "d_k": float64(i)},
			Quantity: "score_variance", Estimator: "direct", N: 2048,
			Value: Number(float64(i) + 1/3.0), SE: Number(math.Inf(1)), Lo: Absent(), Hi: Absent(), Level: 0.95,
			Theory: 64, TheoryKind: "exact",
		})
	}
	return d
}

func mustEncode(t *testing.T, d *Document) []byte {
	t.Helper()
	text, err := Encode(d)
	must(t, err)
	return text
}

func TestRoundTrip(t *testing.T) {
	text := mustEncode(t, newDocument())
	d, err := Decode(text)
	must(t, err)
	if again := mustEncode(t, d); !bytes.Equal(again, text) {
		t.Errorf("decoded and encoded again:\n%s\nbefore:\n%s", again, text)
	}
	if len(d.Schemes) != 1 || d.Schemes[0].Name != "t5" {
		t.Errorf("decoded schemes %v, want only t5", d.Schemes)
	}
	plain := newDocument()
	plain.Schemes, plain.Examples = nil, nil
	if text := string(mustEncode(t, plain)); strings.Contains(text, "schemes") || strings.Contains(text, "examples") {
		t.Error("empty lists of schemes and examples are written, which changes the digest of older documents")
	}
	e := d.Estimates[1]
	if e.Value != 1+1/3.0 || e.SE.Present() || e.Lo.Present() || e.Params["d_k"] != 1.0 {
		t.Errorf("decoded estimate %+v, want the value 4/3 at d_k = 1, without a standard error or bounds", e)
	}
	if d.Seed != 1<<53 {
		t.Errorf("decoded seed %d, want 2⁵³", d.Seed)
	}
	if *d.Gates[0].NToDecide != 385 || d.Gates[1].NToDecide != nil {
		t.Errorf("decoded gates %+v, want n_to_decide 385 and null", d.Gates)
	}
	if !json.Valid(text) {
		t.Error("the encoding is not JSON")
	}
	if err := json.Unmarshal(text, new(map[string]any)); err != nil {
		t.Error(err)
	}
}

func TestDecodeTruncated(t *testing.T) {
	text := mustEncode(t, newDocument())
	jsonLength := len(strings.TrimRight(string(text), "\n"))
	for end := 0; end < jsonLength; end += 1000 {
		if _, err := Decode(text[:end]); !errors.Is(err, ErrTruncated) ||
			!strings.Contains(err.Error(), fmt.Sprint(end)) {
			t.Errorf("the first %d of %d bytes: %v", end, len(text), err)
		}
	}
	for end := jsonLength - 50; end < jsonLength; end++ {
		if _, err := Decode(text[:end]); !errors.Is(err, ErrTruncated) {
			t.Errorf("the first %d of %d bytes: %v", end, len(text), err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	text := string(mustEncode(t, newDocument()))
	replace := func(old, new string) string {
		if strings.Count(text, old) == 0 {
			t.Fatalf("no %q in the document", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for _, c := range []struct {
		name, text string
		want       error
		wantText   string
	}{
		{"other schema", replace("mcsim/results/4", "mcsim/results/5"), ErrSchema, `"mcsim/results/5"`},
		{"no schema", "{}", nil, "does not begin with"},
		{"another first key", replace(`"schema": "mcsim/results/4",`, ""), nil, "does not begin with"},
		{"a value", replace(`"value":1.3333`, `"value":1.4333`), ErrDigest, "sha256:"},
		{"a number to null", replace(`"level":0.95`, `"level":null`), ErrDigest, ""},
		{"null to a number", replace(`"se":null`, `"se":1`), ErrDigest, ""},
		{"a parameter", replace(`"distribution":"normal"`, `"distribution":"uniform"`), ErrDigest, ""},
		{"the plan", replace(`"name":"x"`, `"name":"y"`), ErrDigest, ""},
		{"a verdict", replace(`"verdict":"undecided"`, `"verdict":"pass"`), ErrDigest, ""},
		{"the digest", replace("sha256:", "sha256:0"), ErrDigest, ""},
		{"a key twice", replace(`"seed": `, `"seed": 8, "seed": `), ErrDuplicateKey, "seed, the second time on line 5"},
		{"a number of an example", replace(`"value":[0.25,null]`, `"value":[0.25,0]`), ErrDigest, ""},
		{"a field inside an example", replace(`"columns":`, `"column":`), nil,
			"unknown field on line 63: examples[0].steps[0].column"},
		{"a number less than a shape has", replace(`"value":[0.25,null]`, `"value":[0.25]`), ErrShape,
			"weights of three"},
		{"a label too many", replace(`"columns":["a","b"]`, `"columns":["a","b","c"]`), ErrShape, "weights of three"},
		{"a shape of three numbers", replace(`"shape":[1,2]`, `"shape":[1,2,1]`), ErrShape, ""},
		{"a shape beyond all bounds", replace(`"shape":[1,2]`, `"shape":[4294967296,4294967296]`), ErrShape, ""},
		{"hidden text in an example", replace(`"a","b"`, `"a","b\u202e"`), ErrInvalidText,
			"examples[0].steps[0].columns[1]"},
		{"unknown field", replace(`"seed":`, `"sead":`), nil, "unknown field on line 5: sead"},
		{"not JSON", "hello", nil, "invalid JSON: line 1"},
		{"a list", "[]", nil, "not a mcsim/results/4 document"},
		{"null", "null", nil, "not a mcsim/results/4 document"},
	} {
		_, err := Decode([]byte(c.text))
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		if c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: error %q, want %q", c.name, err, c.want)
		}
		if !strings.Contains(err.Error(), c.wantText) {
			t.Errorf("%s: error %q, want it to contain %q", c.name, err, c.wantText)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q has several lines, want one", c.name, err)
		}
		for _, other := range []error{ErrTruncated, ErrDuplicateKey, ErrSchema, ErrDigest} {
			if other != c.want && errors.Is(err, other) {
				t.Errorf("%s: error %q is a %q, want only %v", c.name, err, other, c.want)
			}
		}
	}
}

func TestDecodeIgnoresLayout(t *testing.T) {
	text := mustEncode(t, newDocument())
	var compact bytes.Buffer
	must(t, json.Compact(&compact, text))
	if _, err := Decode(compact.Bytes()); err != nil {
		t.Error(err)
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		number Number
		text   string
	}{
		{0, "0"}, {0.1, "0.1"}, {1e-300, "1e-300"}, {1e21, "1e+21"}, {Number(math.Inf(1)), "null"},
		{Number(math.Inf(-1)), "null"}, {Absent(), "null"}, {math.MaxFloat64, "1.7976931348623157e+308"},
	} {
		text, err := json.Marshal(c.number)
		if err != nil || string(text) != c.text {
			t.Errorf("%v is written as %s (error %v), want %s", c.number, text, err, c.text)
		}
		got := Number(7) // which reading must replace
		must(t, json.Unmarshal(text, &got))
		bothAbsent := !got.Present() && !c.number.Present()
		if got != c.number && !bothAbsent {
			t.Errorf("%s is read as %v, want %v", text, got, c.number)
		}
	}
	if err := json.Unmarshal([]byte(`"1"`), new(Number)); err == nil {
		t.Error("a JSON string is read as a number, want an error")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
