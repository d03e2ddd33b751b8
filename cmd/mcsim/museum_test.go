package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"mcsim/sim/claim"
	"mcsim/sim/experiment"
	"mcsim/sim/model/inspect"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// TestMuseumIsInspected draws queries and keys of the shape of each public bug, multiplies q·k by
// the wrong factor, and checks that inspect --check fails with the diagnosis of the ledger. If
// there is no wrong factor, since a cap is missing, inspect must find none.
func TestMuseumIsInspected(t *testing.T) {
	const texts, rows = 4, 16
	for _, e := range claim.JudgeBugs() {
		t.Run(e.Claim.ID, func(t *testing.T) {
			d, err := strconv.Atoi(e.Bug.Shape[0])
			simtest.Must(t, err)
			heads, err := strconv.Atoi(e.Bug.Shape[1])
			simtest.Must(t, err)
			wrong, err := experiment.Number(e.Claim.Published[0])
			simtest.Must(t, err)
			right := float64(e.Claim.Value[0])
			if e.Bug.Kind == names.BugCap {
				right = 1 / math.Sqrt(float64(d))
				wrong = right
			}
			dir := t.TempDir()
			writeFiles(t, dir, map[string][]byte{"qk.npz": encodeAttention(t, texts, heads, rows, d, wrong)})
			stdout, stderr, _ := runIn(t, dir, "inspect", "qk.npz", "--check", "50%", "--json",
				"--scale", fmt.Sprintf("temperature(%v)", 1/right))
			if stderr != "" {
				t.Fatal(stderr)
			}
			var report struct{ Logits inspect.AppliedScale }
			simtest.Must(t, json.Unmarshal([]byte(stdout), &report))
			want, verdict := e.Bug.Inspect, result.Fail
			if e.Bug.Kind == names.BugCap {
				want, verdict = "", result.Pass
			}
			if got := report.Logits; got.Diagnosis != want || got.Verdict != verdict {
				t.Errorf("ID %s: the factor has the verdict %s and the diagnosis %q, want %s and %q", e.Claim.ID,
					got.Verdict, got.Diagnosis, verdict, want)
			}
		})
	}
}

// encodeAttention returns an archive with normal queries and keys, and their logits under a factor.
func encodeAttention(t *testing.T, texts, heads, rows, d int, factor float64) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(58, 3))
	draw := func() []float32 {
		xs := make([]float32, texts*heads*rows*d)
		for i := range xs {
			xs[i] = float32(r.NormFloat64())
		}
		return xs
	}
	q, k := draw(), draw()
	var logits []float32
	for i := 0; i < len(q); i += d {
		head := i / (rows * d) * (rows * d)
		for j := head; j < head+rows*d; j += d {
			score := 0.0
			for c := range d {
				score += float64(q[i+c]) * float64(k[j+c])
			}
			logits = append(logits, float32(factor*score))
		}
	}
	var text bytes.Buffer
	archive := zip.NewWriter(&text)
	for name, data := range map[string][]byte{"q.npy": encodeNumbers(q, texts, heads, rows, d),
		"k.npy":      encodeNumbers(k, texts, heads, rows, d),
		"logits.npy": encodeNumbers(logits, texts, heads, rows, rows)} {
		w, err := archive.Create(name)
		simtest.Must(t, err)
		_, err = w.Write(data)
		simtest.Must(t, err)
	}
	simtest.Must(t, archive.Close())
	return text.Bytes()
}
