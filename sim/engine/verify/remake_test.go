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

// everything is a plan with estimates of every experiment, most of them without a gate.
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

// verifyRemade returns the judgement of a document and a copy of its nodes.
func verifyRemade(t *testing.T, s *schedule.Schedule, doc *result.Document, sampled *store.Store) *Judgement {
	t.Helper()
	nodes := simtest.NewStore(s)
	simtest.Must(t, nodes.CopyFrom(sampled))
	text, err := result.Encode(doc)
	simtest.Must(t, err)
	v := judge(t, doc)
	simtest.Must(t, v.Remake(bytes.NewReader(text), nodes, FromNodes))
	return v
}

// TestRemakeFindsEveryChange checks that Remake finds every change of a document with a new digest:
// an estimate that is shifted by three standard errors or removed, and a changed warning, curve,
// count, scheme, model or example.
func TestRemakeFindsEveryChange(t *testing.T) {
	s := simtest.NewSchedule(t, everything)
	nodes := simtest.NewStore(s)
	simtest.Must(t, run.Sample(t.Context(), s, nodes, run.Options{Workers: 2}))
	doc, err := document.Build(s, nodes)
	simtest.Must(t, err)
	if v := verifyRemade(t, s, doc, nodes); v.Verdict(true) != result.Pass || v.Basis != FromNodes ||
		v.Unjudged != 0 || v.Rows != len(doc.Estimates) {
		t.Fatalf("unchanged, from nodes: %s from %s, %d of %d estimates unjudged, %q; want a pass with all judged",
			v.Verdict(true), v.Basis, v.Unjudged, v.Rows, v.Mismatches)
	}
	if v := judge(t, doc); v.Verdict(true) != result.Pass || v.Basis != FromRows || v.Unjudged == 0 ||
		v.Unjudged >= v.Rows {
		t.Fatalf("unchanged, from estimates: %s from %s, %d of %d estimates unjudged, %q; want a pass with some "+
			"unjudged", v.Verdict(true), v.Basis, v.Unjudged, v.Rows, v.Mismatches)
	}
	withWeightAboveOne := reseal(t, doc, func(d *result.Document) {
		simtest.FindEstimate(t, d, "softmax/normal/d_k=3/keys=5", "max_weight").Value = 1.5
	})
	if v := judge(t, withWeightAboveOne); !hasMismatch(v, "must be between 0 and 1") {
		t.Errorf("a weight of 1.5, from estimates: the mismatches are %q, want one about the bounds", v.Mismatches)
	}
	requireFound := func(name string, change func(*result.Document)) {
		t.Helper()
		v := verifyRemade(t, s, reseal(t, doc, change), nodes)
		if v.Verdict(true) != result.Fail || !hasMismatch(v, "is not what the nodes give") {
			t.Errorf("%s: the verdict is %s with the mismatches %q, want a fail with a different line", name,
				v.Verdict(true), v.Mismatches)
		}
	}
	step := 47 // every 47th estimate, which includes some of every experiment
	if testing.Short() {
		step = 1900
	}
	for i := 0; i < len(doc.Estimates); i += step {
		r := doc.Estimates[i]
		name := r.Quantity + " of " + r.Cell
		if r.SE > 0 && r.Value.Present() {
			requireFound(name+" moved", func(d *result.Document) {
				e := &d.Estimates[i]
				shift := 3 * e.SE
				e.Value, e.Lo, e.Hi = e.Value+shift, e.Lo+shift, e.Hi+shift
			})
		}
		requireFound(name+" removed",
			func(d *result.Document) { d.Estimates = append(d.Estimates[:i:i], d.Estimates[i+1:]...) })
	}
	requireFound("a warning", func(d *result.Document) { d.Warnings[0].Text += "!" })
	requireFound("a curve", func(d *result.Document) { d.Curves[0].Y[0] += 1e-9 })
	drawn := slices.IndexFunc(doc.Curves, func(c result.Curve) bool { return c.Kind == names.CurveDrawn })
	requireFound("a curve of sampled rows", func(d *result.Document) { d.Curves[drawn].Y[0] += 1e-9 })
	requireFound("a scheme", func(d *result.Document) { d.Schemes[0].Source = "nobody" })
	requireFound("a count", func(d *result.Document) { d.Cells[0].N++ })
	requireFound("a model", func(d *result.Document) { d.Models = append(d.Models, result.Model{Name: "none"}) })
	requireFound("a number of an example", func(d *result.Document) { d.Examples[1].Steps[0].Value[3] += 1e-15 })
	requireFound("no examples", func(d *result.Document) { d.Examples = nil })
	requireFound("no claims", func(d *result.Document) { d.Claims = nil })
	requireFound("the last line",
		func(d *result.Document) { d.Examples = append(d.Examples, result.Example{ID: "none"}) })
}

// TestRemakeNeedsItsNodes checks that missing nodes are an error and not a mismatch.
func TestRemakeNeedsItsNodes(t *testing.T) {
	doc := simtest.SampleDocument(t, gatedPlan("20%"))
	text, err := result.Encode(doc)
	simtest.Must(t, err)
	v := judge(t, doc)
	err = v.Remake(bytes.NewReader(text), store.New(store.Origin{}), FromNodes)
	if err == nil || !strings.Contains(err.Error(), "not sampled to its") || v.Basis != FromRows ||
		v.Verdict(true) != result.Pass {
		t.Errorf("without any node: the error is %v and the verdict %s from %s, want an error and %s from %s", err,
			v.Verdict(true), v.Basis, result.Pass, FromRows)
	}
}

// TestOtherFiles checks that a changed file of estimates and the record of another run are
// mismatches, and that the files of the document are not.
func TestOtherFiles(t *testing.T) {
	doc := reseal(t, simtest.SampleDocument(t, gatedPlan("20%")), func(*result.Document) {})
	var csv bytes.Buffer
	simtest.Must(t, result.WriteCSV(&csv, doc.Estimates))
	text := csv.String()
	for name, changed := range map[string]string{
		"a digit":       strings.Replace(text, ",0.95,", ",0.94,", 1),
		"truncated":     text[:len(text)/2],
		"one more line": text + "x\n",
		"empty":         "",
		"another order": text[strings.Index(text, "\n")+1:] + text[:strings.Index(text, "\n")+1],
	} {
		v := judge(t, doc)
		simtest.Must(t, v.Estimates(doc, strings.NewReader(changed)))
		if v.Verdict(true) != result.Fail || !hasMismatch(v, "of the file of estimates") {
			t.Errorf("%s: the verdict is %s with the mismatches %q, want a fail with a different line", name,
				v.Verdict(true), v.Mismatches)
		}
	}
	v := judge(t, doc)
	simtest.Must(t, v.Estimates(doc, strings.NewReader(text)))
	v.Run(doc, doc.Digest)
	if v.Verdict(true) != result.Pass {
		t.Errorf("the files of the document: the mismatches are %q, want none", v.Mismatches)
	}
	if v.Run(doc, "sha256:0"); v.Verdict(true) != result.Fail || !hasMismatch(v, "belongs to other results") {
		t.Errorf("the record of another run: the mismatches are %q, want one about the digest", v.Mismatches)
	}
}

// TestEndlessTexts checks that the comparison with a text that does not end, or with a long line,
// ends, and that line breaks of Windows count as equal.
func TestEndlessTexts(t *testing.T) {
	doc := &result.Document{}
	for name, text := range map[string]string{"zeros": "\x00", "lines": "a\n", "empty lines": "\n"} {
		var v Judgement
		simtest.Must(t, v.Estimates(doc, &endlessReader{text: text}))
		if len(v.Mismatches) != 1 || len(v.Mismatches[0]) > 1000 ||
			!strings.HasSuffix(v.Mismatches[0], "; the rest was not compared") {
			t.Errorf("%s: got the mismatches %.1000q, want one that says that the rest was not compared", name, v.Mismatches)
		}
	}
	var v Judgement
	var b bytes.Buffer
	simtest.Must(t, result.WriteCSV(&b, doc.Estimates))
	simtest.Must(t, v.Estimates(doc, strings.NewReader(strings.ReplaceAll(b.String(), "\n", "\r\n"))))
	if len(v.Mismatches) > 0 {
		t.Errorf("line breaks of Windows: got the mismatches %q, want none", v.Mismatches)
	}
}

// endlessReader repeats a text for ever.
type endlessReader struct{ text string }

func (r *endlessReader) Read(p []byte) (n int, err error) {
	for n+len(r.text) <= len(p) {
		n += copy(p[n:], r.text)
	}
	return n, nil
}
