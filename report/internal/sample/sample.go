// Package sample holds a small result document for the tests of the report:
// every experiment that a page shows, with few samples. It was drawn, like any
// other, from plan.yaml beside it; to make it again:
//
//	mcsim run report/internal/sample/plan.yaml --fresh -o DIR
//	gzip -n9 < DIR/results.json > report/internal/sample/results.json.gz
//
// Tests that need other rows change a copy.
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

// unpacked is the file as `mcsim run` wrote it.
var unpacked = sync.OnceValue(func() []byte {
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

// Document returns a copy of the document, of which all may be changed.
func Document() *result.Document {
	doc := &result.Document{}
	if err := result.Unmarshal(unpacked(), doc); err != nil {
		panic("sample: results.json.gz is to be made again: " + err.Error())
	}
	return doc
}

// Distribution returns the document of one distribution, under another name, whose scores were drawn
// up to a dimension. Slopes stay, which a single dimension would not have.
func Distribution(name string, maxDimension float64) *result.Document {
	doc := Document()
	keep(doc, func(experiment string, p result.Params) bool {
		distribution, named := p.Text(names.ParamDistribution)
		d, _ := p.Number(names.ParamDimension)
		isScore := experiment == names.ExperimentVariance || experiment == names.ExperimentExponents
		return (!named || distribution == names.DistributionNormal) && !(isScore && d > maxDimension)
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

// Join returns the first document with the scores of the distribution of another.
func Join(doc, other *result.Document) *result.Document {
	keep(other, func(experiment string, p result.Params) bool {
		_, named := p.Text(names.ParamDistribution)
		return named && (experiment == names.ExperimentVariance || experiment == names.ExperimentExponents)
	})
	doc.Estimates = append(doc.Estimates, other.Estimates...)
	doc.Gates = append(doc.Gates, other.Gates...)
	doc.Budget.Gates = len(doc.Gates)
	return doc
}

// allParams yields the parameters of every row, line and gate.
func allParams(doc *result.Document) iter.Seq[result.Params] {
	var all []result.Params
	for _, e := range doc.Estimates {
		all = append(all, e.Params)
	}
	for _, c := range doc.Curves {
		all = append(all, c.Params)
	}
	for _, g := range doc.Gates {
		all = append(all, g.Params)
	}
	return slices.Values(all)
}

// keep removes the other rows, lines and gates.
func keep(doc *result.Document, wanted func(experiment string, p result.Params) bool) {
	doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool {
		return !wanted(e.Experiment, e.Params)
	})
	doc.Curves = slices.DeleteFunc(doc.Curves, func(c result.Curve) bool { return !wanted(c.Experiment, c.Params) })
	doc.Gates = slices.DeleteFunc(doc.Gates, func(g result.Gate) bool { return !wanted(g.Experiment, g.Params) })
	doc.Budget.Gates = len(doc.Gates)
}

// Break gives the i-th gate and the document another verdict.
func Break(doc *result.Document, i int, v result.Verdict) {
	doc.Gates[i].Verdict = v
	if v == result.Undecided {
		n := int64(40_000_000)
		doc.Gates[i].NToDecide = &n
	}
	doc.Budget.Verdict = v
}
