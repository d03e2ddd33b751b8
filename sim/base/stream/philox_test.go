package stream

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestPhiloxAgainstRandom123 compares philox with the known answers of Random123
// (tests/kat_vectors, see testdata/README.md). A line has the counter, the key and the answer.
func TestPhiloxAgainstRandom123(t *testing.T) {
	text, err := os.ReadFile("testdata/kat_vectors.txt")
	must(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 3 {
		t.Fatalf("testdata has %d known answers, want 3", len(lines))
	}
	for _, line := range lines {
		w := hexWords(t, strings.Fields(line)[2:])
		ctr, key, want := [4]uint64(w[:4]), [2]uint64(w[4:6]), [4]uint64(w[6:10])
		if got := philox(key, ctr); got != want {
			t.Errorf("philox(%x, %x) = %x, want %x", key, ctr, got, want)
		}
	}
}

func hexWords(t *testing.T, fields []string) []uint64 {
	t.Helper()
	if len(fields) != 10 {
		t.Fatalf("a line has %d words, want 10", len(fields))
	}
	words := make([]uint64, len(fields))
	for i, f := range fields {
		w, err := strconv.ParseUint(f, 16, 64)
		must(t, err)
		words[i] = w
	}
	return words
}
