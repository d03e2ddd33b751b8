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
	"cmp"
	"compress/gzip"
	_ "embed"
	"io"
	"math"
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

// Distribution returns the document of one distribution alone, under another name, whose scores
// were drawn up to a dimension. Slopes stay, which a single one would not have.
func Distribution(name string, most float64) *result.Document {
	doc := Document()
	keep(doc, func(experiment string, p result.Params) bool {
		if distribution, named := p.Text(names.ParamDistribution); named && distribution != names.DistributionNormal {
			return false
		}
		d, wide := p.Number(names.ParamDimension)
		switch experiment {
		case names.ExperimentVariance:
			return d <= most
		case names.ExperimentExponents:
			return !wide || d <= most
		}
		return true
	})
	for i, c := range doc.Curves {
		if c.Axis != names.ParamDimension || c.Experiment != names.ExperimentVariance && c.Experiment != names.ExperimentExponents {
			continue
		}
		n, _ := slices.BinarySearchFunc(c.X, most, func(x result.Number, to float64) int { return cmp.Compare(float64(x), math.Nextafter(to, math.Inf(1))) })
		doc.Curves[i].X, doc.Curves[i].Y = c.X[:n], c.Y[:n]
	}
	each(doc, func(p result.Params) {
		if p[names.ParamDistribution] == names.DistributionNormal {
			p[names.ParamDistribution] = name
		}
	})
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

// each calls change with the parameters of every row, line and gate.
func each(doc *result.Document, change func(result.Params)) {
	for i := range doc.Estimates {
		change(doc.Estimates[i].Params)
	}
	for i := range doc.Curves {
		change(doc.Curves[i].Params)
	}
	for i := range doc.Gates {
		change(doc.Gates[i].Params)
	}
}

// keep drops the rows, lines and gates whose parameters are not as asked.
func keep(doc *result.Document, as func(experiment string, p result.Params) bool) {
	doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool { return !as(e.Experiment, e.Params) })
	doc.Curves = slices.DeleteFunc(doc.Curves, func(c result.Curve) bool { return !as(c.Experiment, c.Params) })
	doc.Gates = slices.DeleteFunc(doc.Gates, func(g result.Gate) bool { return !as(g.Experiment, g.Params) })
	doc.Budget.Gates = len(doc.Gates)
}

// Break turns the i-th gate over: what a failing document looks like.
func Break(doc *result.Document, i int, v result.Verdict) {
	doc.Gates[i].Verdict = v
	if v == result.Undecided {
		n := int64(40_000_000)
		doc.Gates[i].NToDecide = &n
	}
	doc.Budget.Verdict = v
}
