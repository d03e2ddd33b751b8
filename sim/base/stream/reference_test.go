package stream

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"
)

// reference is testdata/reference.json, which testdata/reference.py prints.
type reference struct {
	Xoshiro []uint32
	Lanes   []struct {
		Seed, Attempt, Block word
		Cell                 string
		Lane                 int
		Words                []uint32
	}
	Sources []struct {
		Seed, Attempt, Block word
		Cell                 string
		Numbers              words
	}
}

// word is a number of 64 bits. JSON has it as a string, since JSON numbers may lose bits.
type word uint64

func (w *word) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	*w = word(n)
	return err
}

type words []uint64

func (w *words) UnmarshalJSON(b []byte) error {
	var list []word
	err := json.Unmarshal(b, &list)
	for _, x := range list {
		*w = append(*w, uint64(x))
	}
	return err
}

func readReference(t *testing.T) reference {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.json")
	must(t, err)
	var r reference
	must(t, json.Unmarshal(text, &r))
	if len(r.Xoshiro) == 0 || len(r.Lanes) == 0 || len(r.Sources) == 0 {
		t.Fatal("testdata/reference.json lacks words of Xoshiro, Lanes or Sources")
	}
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
