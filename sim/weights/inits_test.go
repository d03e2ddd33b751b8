package weights

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"mcsim/sim/moments"
	"mcsim/sim/stream"
)

// called are the schemes by their titles in inits.csv.
var called = map[string]string{
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

// reference is a row of inits.csv.
type reference struct {
	line              int
	head              Head
	heads             int
	query, key, logit float64
}

func references(t *testing.T) []reference {
	t.Helper()
	f, err := os.Open("testdata/inits.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	number := func(row []string, name string) float64 {
		x, err := strconv.ParseFloat(at(row, name), 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	var all []reference
	for i, row := range rows[1:] {
		s, ok := Lookup(called[at(row, "scheme")])
		if !ok {
			t.Fatalf("no scheme is called %s", at(row, "scheme"))
		}
		h := s.At(Shape{int(number(row, "d_model")), int(number(row, "d_k"))})
		all = append(all, reference{i + 2, h, int(number(row, "heads")), number(row, "Var_q"), number(row, "Var_k"), number(row, "score_var_presoftmax")})
	}
	return all
}

// The closed forms are those of inits.csv, to its eight digits (six in places).
func TestFormulasAgainstReference(t *testing.T) {
	all := references(t)
	for _, r := range all {
		h := r.head
		for _, x := range []struct {
			name      string
			got, want float64
		}{{"query", h.QueryVariance(), r.query}, {"key", h.KeyVariance(), r.key}, {"logit", h.LogitVariance(), r.logit}} {
			if math.Abs(x.got-x.want) > 1e-7*x.want {
				t.Errorf("line %d, %s at %+v: %s variance %v, want %v", r.line, h.Scheme.Name, h.Shape, x.name, x.got, x.want)
			}
		}
		if h.Scheme.Name != "gemma2-27b" && h.Shape.Heads() != r.heads {
			t.Errorf("line %d: %d heads, want %d", r.line, h.Shape.Heads(), r.heads)
		}
	}
	if len(all) != 76 {
		t.Errorf("%d rows, want 76", len(all))
	}
}

// sample is what many draws show.
type sample struct{ query, key, score moments.Moments }

func sampled(h Head, draws int) sample {
	d := NewDrawer(h)
	cell := stream.Open(stream.Key{Seed: 3, Cell: fmt.Sprintf("%s/%d/%d", h.Scheme.Name, h.Shape.Model, h.Shape.Key)})
	var columns [3][]float64
	for i := range draws {
		var lanes stream.Lanes
		cell.Block(&lanes, uint64(i))
		m := d.Draw(&lanes)
		for j, x := range []float64{m.QuerySquare, m.KeySquare, m.ScoreSquare} {
			columns[j] = append(columns[j], x)
		}
	}
	of := func(i int) moments.Moments { return moments.Of(columns[i], 4) }
	return sample{of(0), of(1), of(2)}
}
