package verify

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// everything has rows of every experiment, most of which no gate judges.
const everything = `
name: everything
seed: 7
tolerance: 20%
alpha: 1e-3
beta: 1e-3
experiments:
  - {experiment: variance, distribution: [normal, rademacher], d_k: [2, 64]}
  - {experiment: exponents, exponent: [0, 1/2, 1]}
  - {experiment: softmax, distribution: [normal, laplace], d_k: [3, 16], keys: 5, shared_keys: [no, yes], exponent: [0, 1/2], samples: 3000, gate: false}
  - {experiment: freezing, keys: [2, 16], sigma: [1/2, 4], samples: 3000, gate: false}
  - {experiment: ranks, distribution: normal, d_k: [4, 16], keys: 3, exponent: [0, 1/2], samples: 3000, gate: false}
  - {experiment: mismatch, distribution: uniform, d_k: 8, q_sd: 2, samples: 8192, gate: false}
  - {experiment: alignment, distribution: normal, d_k: [4, 16], rho: 1/2, keys: 5, samples: 3000, gate: false}
  - {experiment: rules, distribution: normal, d_k: [2, 16], rule: [cosine(10), qk-norm], samples: 8192, gate: false}
  - {experiment: depth, tokens: 4, width: 4, layers: 3, samples: 300, gate: false}
  - {experiment: init, init: [flax, qk-norm], d_model: 16, d_k: 4, samples: 20, gate: false}
  - {experiment: health, distribution: normal, samples: 20000, gate: false}
`

// remade is what verify says of a document and its nodes, which others need, too.
func remade(t *testing.T, s *schedule.Schedule, doc *result.Document, all *store.Store) *Judgement {
	t.Helper()
	nodes := simtest.NewStore(s)
	simtest.Must(t, nodes.CopyFrom(all))
	text, err := result.Encode(doc)
	simtest.Must(t, err)
	v := verified(t, doc)
	simtest.Must(t, v.Remake(bytes.NewReader(text), nodes, FromNodes))
	return v
}

// Any row, moved with its interval by three of its standard errors, negated, or left out,
// and any warning, curve, count and scheme that is changed, is found where the nodes are
// there, however well the document was sealed again.
func TestRemakeFindsEveryChange(t *testing.T) {
	s := simtest.NewSchedule(t, everything)
	nodes := simtest.NewStore(s)
	simtest.Must(t, run.Sample(t.Context(), s, nodes, run.Options{Workers: 2}))
	doc, err := document.Build(s, nodes)
	simtest.Must(t, err)
	if v := remade(t, s, doc, nodes); v.Verdict(true) != result.Pass || v.Basis != FromNodes || v.Unjudged != 0 || v.Rows != len(doc.Estimates) {
		t.Fatalf("untouched: %s from %s, %q", v.Verdict(true), v.Basis, v.Mismatches)
	}
	if v := verified(t, doc); v.Verdict(true) != result.Pass || v.Basis != FromRows || v.Unjudged == 0 || v.Unjudged >= v.Rows {
		t.Fatalf("rows alone: %s from %s, %d of %d, %q", v.Verdict(true), v.Basis, v.Unjudged, v.Rows, v.Mismatches)
	}
	beyond := simtest.Reseal(t, doc, func(d *result.Document) {
		simtest.FindEstimate(t, d, "softmax/normal/d_k=3/keys=5", "max_weight").Value = 1.5
	})
	if v := verified(t, beyond); !mentions(v, "can only lie between 0 and 1") {
		t.Errorf("a weight of 1.5 by the rows alone: %q", v.Mismatches)
	}
	found := func(what string, change func(*result.Document)) {
		t.Helper()
		v := remade(t, s, simtest.Reseal(t, doc, change), nodes)
		if v.Verdict(true) != result.Fail || !mentions(v, "is not what the nodes give") {
			t.Errorf("%s: %s, %q", what, v.Verdict(true), v.Mismatches)
		}
	}
	step := 47 // some of every experiment
	if testing.Short() {
		step = 1900
	}
	for i := 0; i < len(doc.Estimates); i += step {
		r := doc.Estimates[i]
		name := r.Quantity + " of " + r.Cell
		if r.SE > 0 && r.Value.Present() {
			found(name+" moved", func(d *result.Document) {
				e := &d.Estimates[i]
				by := 3 * e.SE
				e.Value, e.Lo, e.Hi = e.Value+by, e.Lo+by, e.Hi+by
			})
		}
		found(name+" left out", func(d *result.Document) { d.Estimates = append(d.Estimates[:i:i], d.Estimates[i+1:]...) })
	}
	found("a warning", func(d *result.Document) { d.Warnings[0].Text += "!" })
	found("a curve", func(d *result.Document) { d.Curves[0].Y[0] += 1e-9 })
	line := slices.IndexFunc(doc.Curves, func(c result.Curve) bool { return c.Kind == names.CurveDrawn })
	found("a line through what was drawn", func(d *result.Document) { d.Curves[line].Y[0] += 1e-9 })
	found("a scheme", func(d *result.Document) { d.Schemes[0].Source = "nobody" })
	found("a count", func(d *result.Document) { d.Cells[0].N++ })
	found("a model", func(d *result.Document) { d.Models = append(d.Models, result.Model{Name: "none"}) })
	found("a number of an example", func(d *result.Document) { d.Examples[1].Steps[0].Value[3] += 1e-15 })
	found("no examples", func(d *result.Document) { d.Examples = nil })
	found("no claims", func(d *result.Document) { d.Claims = nil })
	found("the last line", func(d *result.Document) { d.Examples = append(d.Examples, result.Example{ID: "none"}) })
}

// Nodes of another run are not held against the document.
func TestRemakeWantsItsNodes(t *testing.T) {
	doc := simtest.SampleDocument(t, gated("20%"))
	text, err := result.Encode(doc)
	simtest.Must(t, err)
	v := verified(t, doc)
	err = v.Remake(bytes.NewReader(text), store.New(store.Origin{}), FromNodes)
	if err == nil || !strings.Contains(err.Error(), "not sampled to its") || v.Basis != FromRows || v.Verdict(true) != result.Pass {
		t.Errorf("without any node: %v, %s from %s", err, v.Verdict(true), v.Basis)
	}
}

// The file of estimates and the record of the run must be the document's.
func TestWhatStandsBeside(t *testing.T) {
	doc := simtest.Reseal(t, simtest.SampleDocument(t, gated("20%")), func(*result.Document) {})
	var csv bytes.Buffer
	simtest.Must(t, result.WriteCSV(&csv, doc.Estimates))
	whole := csv.String()
	for name, text := range map[string]string{
		"a digit":       strings.Replace(whole, ",0.95,", ",0.94,", 1),
		"cut short":     whole[:len(whole)/2],
		"a line more":   whole + "x\n",
		"empty":         "",
		"another order": whole[strings.Index(whole, "\n")+1:] + whole[:strings.Index(whole, "\n")+1],
	} {
		v := verified(t, doc)
		simtest.Must(t, v.Estimates(doc, strings.NewReader(text)))
		if v.Verdict(true) != result.Fail || !mentions(v, "of the file of estimates") {
			t.Errorf("%s: %s, %q", name, v.Verdict(true), v.Mismatches)
		}
	}
	v := verified(t, doc)
	simtest.Must(t, v.Estimates(doc, strings.NewReader(whole)))
	v.Run(doc, doc.Digest)
	if v.Verdict(true) != result.Pass {
		t.Errorf("its own files: %q", v.Mismatches)
	}
	if v.Run(doc, "sha256:0"); v.Verdict(true) != result.Fail || !mentions(v, "is of other results") {
		t.Errorf("another record: %q", v.Mismatches)
	}
}
