// Package sample contains a small result document for the tests of the report. It has every
// experiment that a page shows, with few samples. These commands make it from plan.yaml in this
// folder:
//
//	mcsim run report/internal/sample/plan.yaml --fresh -o DIR
//	gzip -n9 < DIR/results.json > report/internal/sample/results.json.gz
//
// Tests that need other estimates change the copy that [Document] returns.
package sample

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"iter"
	"slices"
	"sync"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

//go:embed results.json.gz
var packed []byte

// unpackDocument returns the JSON text of the document.
var unpackDocument = sync.OnceValue(func() []byte {
	var data []byte
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		data, err = io.ReadAll(r)
	}
	if err != nil {
		panic("sample: " + err.Error())
	}
	return data
})

// Document returns a copy of the document, which the caller may change.
func Document() *result.Document {
	doc := &result.Document{}
	if err := result.Unmarshal(unpackDocument(), doc); err != nil {
		panic("sample: results.json.gz must be sampled again: " + err.Error())
	}
	return doc
}

// OneDistribution returns a copy of the document in which only the normal distribution remains,
// under another name, and scores only up to d_k = maxDimension. Slopes remain, although a run with
// a single dimension would not have any.
func OneDistribution(name string, maxDimension float64) *result.Document {
	doc := Document()
	keepSelected(doc, func(experiment string, p result.Params) bool {
		distribution, ok := p.Text(names.ParamDistribution)
		d, _ := p.Number(names.ParamDimension)
		isScore := experiment == names.ExperimentVariance || experiment == names.ExperimentExponents
		return (!ok || distribution == names.DistributionNormal) && !(isScore && d > maxDimension)
	})
	for i, c := range doc.Curves {
		isScore := c.Experiment == names.ExperimentVariance || c.Experiment == names.ExperimentExponents
		if !isScore || c.Axis != names.ParamDimension {
			continue
		}
		n := slices.IndexFunc(c.X, func(x result.Number) bool { return float64(x) > maxDimension })
		if n >= 0 {
			doc.Curves[i].X, doc.Curves[i].Y = c.X[:n], c.Y[:n]
		}
	}
	for p := range allParams(doc) {
		if p[names.ParamDistribution] == names.DistributionNormal {
			p[names.ParamDistribution] = name
		}
	}
	return doc
}

// JoinScores adds the estimates of scores in another document, and their gates, to doc. It returns
// doc and removes everything else from other.
func JoinScores(doc, other *result.Document) *result.Document {
	keepSelected(other, func(experiment string, p result.Params) bool {
		_, ok := p.Text(names.ParamDistribution)
		return ok && (experiment == names.ExperimentVariance || experiment == names.ExperimentExponents)
	})
	doc.Estimates = append(doc.Estimates, other.Estimates...)
	doc.Gates = append(doc.Gates, other.Gates...)
	doc.Budget.Gates = len(doc.Gates)
	return doc
}

// allParams yields the parameters of all estimates, curves and gates.
func allParams(doc *result.Document) iter.Seq[result.Params] {
	var list []result.Params
	for _, e := range doc.Estimates {
		list = append(list, e.Params)
	}
	for _, c := range doc.Curves {
		list = append(list, c.Params)
	}
	for _, g := range doc.Gates {
		list = append(list, g.Params)
	}
	return slices.Values(list)
}

// keepSelected removes all estimates, curves and gates that are not selected.
func keepSelected(doc *result.Document, selected func(experiment string, p result.Params) bool) {
	doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool {
		return !selected(e.Experiment, e.Params)
	})
	doc.Curves = slices.DeleteFunc(doc.Curves, func(c result.Curve) bool { return !selected(c.Experiment, c.Params) })
	doc.Gates = slices.DeleteFunc(doc.Gates, func(g result.Gate) bool { return !selected(g.Experiment, g.Params) })
	doc.Budget.Gates = len(doc.Gates)
}

// SetVerdict gives the i-th gate and the document the verdict v.
func SetVerdict(doc *result.Document, i int, v result.Verdict) {
	doc.Gates[i].Verdict = v
	if v == result.Undecided {
		n := int64(40_000_000)
		doc.Gates[i].NToDecide = &n
	}
	doc.Budget.Verdict = v
}
