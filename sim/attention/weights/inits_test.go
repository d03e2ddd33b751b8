package weights

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
)

// schemeNames maps the titles in inits.csv to schemes.
var schemeNames = map[string]string{
	"Glorot uniform, per-head D->d_k":                                  "glorot-uniform",
	"Glorot normal, per-head D->d_k":                                   "glorot-normal",
	"Glorot fused D->D (heads sliced)":                                 "glorot-fused",
	"nn.MultiheadAttention packed in_proj 3ExE":                        "torch-mha",
	"He/Kaiming normal fan_in gain sqrt2":                              "he-normal",
	"He/Kaiming uniform fan_in gain sqrt2":                             "he-uniform",
	"He/Kaiming normal fan_out per-head":                               "he-fan-out",
	"LeCun normal (fan_in)":                                            "lecun-normal",
	"nn.Linear default (kaiming_uniform a=sqrt5 + bias U(+-1/sqrt D))": "torch-linear",
	"normal(0.02)": "normal-0.02",
	"TF truncated_normal(0.02), cut at 2sd, not rescaled":             "tf-truncated-0.02",
	"TF truncated_normal(0.02)":                                       "tf-truncated-0.02",
	"torch.nn.init.trunc_normal_(std=0.02) default a=-2,b=2":          "torch-truncated-0.02",
	"T5: q std (D*dk)^-1/2, k std D^-1/2, no score scale":             "t5",
	"orthogonal (semi-orthogonal d_k x D, gain 1)":                    "orthogonal",
	"muP: hidden var 1/D, attention 1/d_k":                            "mup",
	"muP README: 8/d_k":                                               "mup-8",
	"muP zero-init query":                                             "mup-zero-query",
	"Keras MultiHeadAttention glorot_uniform, before PR #22789":       "keras-before-2026",
	"Keras MultiHeadAttention glorot_uniform, after PR #22789":        "keras",
	"Flax MultiHeadDotProductAttention default lecun_normal":          "flax",
	"Haiku hk.Linear default TruncatedNormal(1/sqrt D), not rescaled": "haiku",
	"small_init sqrt(2/(5D))":                                         "neox-small",
	"QK-norm: RMSNorm on q and k (gain 1)":                            "qk-norm",
	"Gemma-2 27B: 1/sqrt(144), head_dim 128":                          "gemma2-27b",
}

// TestFormulasAgainstReference compares the closed forms with the numbers of inits.csv, to a
// relative tolerance of 10⁻⁷.
func TestFormulasAgainstReference(t *testing.T) {
	table := readTable(t, "inits.csv", 76)
	for i, r := range table {
		s, ok := Lookup(schemeNames[r["scheme"]])
		if !ok {
			t.Fatalf("inits.csv has the scheme %q, which the test does not know", r["scheme"])
		}
		h := s.Head(Shape{int(mustParse(t, r["d_model"])), int(mustParse(t, r["d_k"]))})
		for column, got := range map[string]float64{"Var_q": h.QueryVariance(), "Var_k": h.KeyVariance(),
			"score_var_presoftmax": h.LogitVariance()} {
			if want := mustParse(t, r[column]); math.Abs(got-want) > 1e-7*want {
				t.Errorf("line %d, %s at %+v: %s is %v, want %v", i+2, h.Scheme.Name, h.Shape, column, got, want)
			}
		}
		if h.Scheme.Name != "gemma2-27b" && float64(h.Shape.Heads()) != mustParse(t, r["heads"]) {
			t.Errorf("line %d: %d heads, want %s", i+2, h.Shape.Heads(), r["heads"])
		}
	}
}

// readTable reads a file of comma-separated values, which must have count lines below its header.
func readTable(t *testing.T, name string, count int) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil || len(lines) != count+1 {
		t.Fatalf("%s: got %d lines and the error %v; want %d lines", name, len(lines), err, count+1)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// mustParse returns the number that a field of a table has, or 0 for an empty field.
func mustParse(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(cmp.Or(text, "0"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// sampleMoments has the moments of QuerySquare, KeySquare and ScoreSquare over several samples.
type sampleMoments struct{ query, key, score moments.Moments }

func sampleHeads(h Head, samples int) sampleMoments {
	sampler := NewSampler(h)
	cell := stream.Open(stream.ID{Seed: 3, Cell: fmt.Sprintf("%s/%d/%d", h.Scheme.Name, h.Shape.Model, h.Shape.Key)})
	var columns [3][]float64
	for i := range samples {
		var lanes stream.Lanes
		cell.Block(&lanes, uint64(i))
		m := sampler.Sample(&lanes)
		for j, x := range []float64{m.QuerySquare, m.KeySquare, m.ScoreSquare} {
			columns[j] = append(columns[j], x)
		}
	}
	momentsOf := func(column int) moments.Moments { return moments.New(columns[column], 4) }
	return sampleMoments{momentsOf(0), momentsOf(1), momentsOf(2)}
}
