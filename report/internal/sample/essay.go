package sample

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/templates"
)

// Wanted is a condition of a finding as it stands in a template.
type Wanted struct {
	Row, Is, Gates, By string
	Over               *Wanted
}

// ReadWanted reads the conditions of all findings of a text.
func ReadWanted(text string) (all [][]Wanted) {
	for _, m := range regexp.MustCompile(`(?s)<!-- finding\b(.*?)-->`).FindAllStringSubmatch(text, -1) {
		var list []Wanted
		if err := yaml.Unmarshal([]byte(m[1]), &list); err != nil {
			panic("sample: " + err.Error() + m[1])
		}
		all = append(all, list)
	}
	return all
}

// band is where a row has to lie for all findings to be borne out.
type band struct{ lo, hi float64 }

func (b band) middle() float64 {
	switch {
	case b.lo == -unbounded && b.hi == unbounded:
		return 1
	case b.lo == -unbounded:
		return b.hi - max(0.5*b.hi, -0.5*b.hi)
	case b.hi == unbounded:
		return 2 * b.lo
	}
	return (b.lo + b.hi) / 2
}

const unbounded = 1e300

// narrowed is the band within what a condition wants.
func (b band) narrowed(is string) band {
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			panic("sample: " + is + ": " + err.Error())
		}
		return x
	}
	switch {
	case strings.HasPrefix(is, ">="):
		b.lo = max(b.lo, number(is[2:]))
	case strings.HasPrefix(is, "<"):
		b.hi = min(b.hi, number(is[1:]))
	case strings.HasPrefix(is, "in "):
		lo, hi, _ := strings.Cut(is[3:], "..")
		b.lo, b.hi = max(b.lo, number(lo)), min(b.hi, number(hi))
	}
	return b
}

// Essay is the document with all rows that the essay reads, each where its findings want it,
// with a narrow interval, and with the gates they name.
func Essay() *result.Document {
	doc := Document()
	bands, order := map[string]band{}, []string(nil)
	note := func(row string) {
		if _, has := bands[row]; !has && row != "" {
			bands[row], order = band{-unbounded, unbounded}, append(order, row)
		}
	}
	gates := map[string]bool{}
	var ratios []Wanted
	for _, text := range essays() {
		for _, finding := range ReadWanted(text) {
			for _, w := range finding {
				note(w.Row)
				switch {
				case w.Gates != "":
					gates[w.Gates] = true
				case w.Over != nil:
					note(w.Over.Row)
					ratios = append(ratios, w)
				case w.Row != "":
					bands[w.Row] = bands[w.Row].narrowed(w.Is)
				}
			}
		}
		for _, m := range regexp.MustCompile(`\{\{(?:measured|precise|cell|count) "([^"]*)"`).FindAllStringSubmatch(text, -1) {
			note(m[1])
		}
	}
	for _, w := range ratios { // a row that is bounded by nothing else follows the one it is divided by
		r, by := (band{-unbounded, unbounded}).narrowed(w.Is), bands[w.Over.Row].middle()
		own := bands[w.Row]
		if r.lo > -unbounded {
			own.lo = max(own.lo, r.lo*by)
		}
		if r.hi < unbounded {
			own.hi = min(own.hi, r.hi*by)
		}
		bands[w.Row] = own
	}
	drop(doc, order)
	for _, row := range order {
		doc.Estimates = append(doc.Estimates, rowAt(row, bands[row].middle()))
	}
	for _, gate := range slices.Sorted(maps.Keys(gates)) {
		experiment, quantity, _ := strings.Cut(gate, ".")
		e := rowAt(gate+"[d_k=3]", 1)
		doc.Estimates = append(doc.Estimates, e)
		doc.Gates = append(doc.Gates, result.Gate{Name: "sample", Expect: names.ExpectInside, Experiment: experiment, Cell: e.Cell, Params: e.Params, Quantity: quantity,
			Value: 1, SE: e.SE, Lo: 0.99, Hi: 1.01, Band: [2]result.Number{0.9, 1.1}, Verdict: result.Pass, NormalError: result.Absent(), SingleProduct: result.Absent()})
	}
	doc.Budget.Gates = len(doc.Gates)
	return doc
}

// essays are the templates of the essay.
func essays() (all []string) {
	files, err := fs.Glob(templates.Files, "*.md")
	if err != nil {
		panic(err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(templates.Files, name)
		if err != nil {
			panic(err)
		}
		all = append(all, string(text))
	}
	return all
}

// drop removes the rows of the document that stand where rows are to be added.
func drop(doc *result.Document, added []string) {
	taken := map[string]bool{}
	for _, row := range added {
		taken[place(rowAt(row, 0))] = true
	}
	kept := doc.Estimates[:0]
	for _, e := range doc.Estimates {
		if !taken[place(e)] {
			kept = append(kept, e)
		}
	}
	doc.Estimates = kept
}

// place is where a row stands; those of models have parameters that no text names.
func place(e result.Estimate) string {
	at := maps.Clone(e.Params)
	if e.Experiment == names.ExperimentModels {
		for _, told := range []string{names.ParamHeadOf, names.ParamYear, names.ParamEvidence, names.ParamContext} {
			delete(at, told)
		}
	}
	return fmt.Sprint(e.Experiment, e.Quantity, at)
}

// undistributed are the experiments whose rows are of no distribution.
var undistributed = map[string]bool{names.ExperimentFreezing: true, names.ExperimentDepth: true, names.ExperimentInit: true, names.ExperimentModels: true, names.ExperimentTraining: true}

// rowAt is a row as experiment.quantity[parameter=value, …] names it, with a value.
func rowAt(text string, value float64) result.Estimate {
	head, inside, _ := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	experiment, quantity, _ := strings.Cut(head, ".")
	params := result.Params{}
	if !undistributed[experiment] {
		params[names.ParamDistribution] = names.DistributionNormal
	}
	for part := range strings.SplitSeq(inside, ", ") {
		if name, v, ok := strings.Cut(part, "="); ok {
			params[name] = v
			top, bottom, fraction := strings.Cut(v, "/")
			a, errA := strconv.ParseFloat(top, 64)
			b, errB := strconv.ParseFloat(bottom, 64)
			if !fraction {
				b, errB = 1, nil
			}
			if errA == nil && errB == nil {
				params[name] = a / b
			}
		}
	}
	wide := result.Number(1e-6 * max(value, -value))
	return result.Estimate{Experiment: experiment, Cell: text, Params: params, Quantity: quantity, Estimator: names.EstimatorDirect, N: 20,
		Value: result.Number(value), SE: wide / 2, Lo: result.Number(value) - wide, Hi: result.Number(value) + wide, Level: 0.95,
		Theory: result.Number(value), TheoryKind: names.TheoryExact}
}
