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

// Wanted is a condition of a finding in a template.
type Wanted struct {
	Row, Is, Gates, By string
	Over               *Wanted
}

var (
	finding = regexp.MustCompile(`(?s)<!-- finding\b(.*?)-->`)
	shown   = regexp.MustCompile(`\{\{(?:measured|precise|cell|count) "([^"]*)"`)
)

// ReadWanted reads the conditions of all findings of a text.
func ReadWanted(text string) (all [][]Wanted) {
	for _, m := range finding.FindAllStringSubmatch(text, -1) {
		var list []Wanted
		if err := yaml.Unmarshal([]byte(m[1]), &list); err != nil {
			panic("sample: " + err.Error() + m[1])
		}
		all = append(all, list)
	}
	return all
}

// band is the interval in which a row satisfies all findings.
type band struct{ lo, hi float64 }

const unbounded = 1e300

// value is a number well inside the band.
func (b band) value() float64 {
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

// within narrows the band to the numbers that satisfy a condition, in units of a number.
func (b band) within(is string, unit float64) band {
	limit := func(text string) float64 {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			panic("sample: " + is + ": " + err.Error())
		}
		return x * unit
	}
	switch {
	case strings.HasPrefix(is, ">="):
		b.lo = max(b.lo, limit(is[2:]))
	case strings.HasPrefix(is, "<"):
		b.hi = min(b.hi, limit(is[1:]))
	case strings.HasPrefix(is, "in "):
		lo, hi, _ := strings.Cut(is[3:], "..")
		b.lo, b.hi = max(b.lo, limit(lo)), min(b.hi, limit(hi))
	}
	return b
}

// Essay returns the document with all rows that the essay reads, each with a value that satisfies its
// findings and a narrow interval, and with the gates that findings name.
func Essay() *result.Document {
	bands := map[string]band{}
	var rows, gates []string
	add := func(row string) {
		if _, known := bands[row]; !known {
			bands[row] = band{-unbounded, unbounded}
			rows = append(rows, row)
		}
	}
	var ratios []Wanted
	for _, text := range readTemplates() {
		for _, w := range slices.Concat(ReadWanted(text)...) {
			switch {
			case w.Gates != "":
				gates = append(gates, w.Gates)
			case w.Over != nil:
				add(w.Row)
				add(w.Over.Row)
				ratios = append(ratios, w)
			case w.Row != "":
				add(w.Row)
				bands[w.Row] = bands[w.Row].within(w.Is, 1)
			}
		}
		for _, m := range shown.FindAllStringSubmatch(text, -1) {
			add(m[1])
		}
	}
	for _, w := range ratios {
		bands[w.Row] = bands[w.Row].within(w.Is, bands[w.Over.Row].value())
	}
	doc := Document()
	replaceRows(doc, names.Map(rows, func(row string) result.Estimate { return newRow(row, bands[row].value()) }))
	slices.Sort(gates)
	for _, gate := range slices.Compact(gates) {
		addGate(doc, gate)
	}
	doc.Budget.Gates = len(doc.Gates)
	return doc
}

// addGate adds a gate that passes, experiment.quantity, with its row.
func addGate(doc *result.Document, gate string) {
	experiment, quantity, _ := strings.Cut(gate, ".")
	e := newRow(gate+"[d_k=3]", 1)
	doc.Estimates = append(doc.Estimates, e)
	doc.Gates = append(doc.Gates, result.Gate{
		Name: "sample", Expect: names.ExpectInside, Experiment: experiment, Quantity: quantity,
		Cell: e.Cell, Params: e.Params, Value: 1, SE: e.SE, Lo: 0.99, Hi: 1.01, Band: [2]result.Number{0.9, 1.1},
		Verdict: result.Pass, NormalError: result.Absent(), SingleProduct: result.Absent(),
	})
}

// readTemplates returns the templates of the pages.
func readTemplates() (texts []string) {
	files, err := fs.Glob(templates.Files, "*.md")
	for _, name := range files {
		var text []byte
		if text, err = fs.ReadFile(templates.Files, name); err != nil {
			break
		}
		texts = append(texts, string(text))
	}
	if err != nil {
		panic(err)
	}
	return texts
}

// replaceRows adds rows to the document, and removes those with the same parameters.
func replaceRows(doc *result.Document, rows []result.Estimate) {
	taken := map[string]bool{}
	for _, e := range rows {
		taken[identity(e)] = true
	}
	isTaken := func(e result.Estimate) bool { return taken[identity(e)] }
	doc.Estimates = append(slices.DeleteFunc(doc.Estimates, isTaken), rows...)
}

// identity is the same for rows of the same experiment, quantity and parameters. Rows of models have
// parameters that no text names.
func identity(e result.Estimate) string {
	params := maps.Clone(e.Params)
	if e.Experiment == names.ExperimentModels {
		for _, unnamed := range []string{names.ParamHeadOf, names.ParamYear, names.ParamEvidence, names.ParamContext} {
			delete(params, unnamed)
		}
	}
	return fmt.Sprint(e.Experiment, e.Quantity, params)
}

// undistributed are the experiments whose rows have no distribution.
var undistributed = []string{
	names.ExperimentFreezing, names.ExperimentDepth, names.ExperimentInit, names.ExperimentModels,
	names.ExperimentTraining,
}

// newRow returns a row with a value. Its text is experiment.quantity[parameter=value, …].
func newRow(text string, value float64) result.Estimate {
	head, inside, _ := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	experiment, quantity, _ := strings.Cut(head, ".")
	params := result.Params{}
	if !slices.Contains(undistributed, experiment) {
		params[names.ParamDistribution] = names.DistributionNormal
	}
	for part := range strings.SplitSeq(inside, ", ") {
		if name, v, ok := strings.Cut(part, "="); ok {
			params[name] = parameter(v)
		}
	}
	x, halfWidth := result.Number(value), result.Number(1e-6*max(value, -value))
	return result.Estimate{
		Experiment: experiment, Cell: text, Params: params, Quantity: quantity, Estimator: names.EstimatorDirect, N: 20,
		Value: x, SE: halfWidth / 2, Lo: x - halfWidth, Hi: x + halfWidth, Level: 0.95,
		Theory: x, TheoryKind: names.TheoryExact,
	}
}

// parameter reads a number or a fraction; anything else is text.
func parameter(text string) any {
	top, bottom, isFraction := strings.Cut(text, "/")
	a, err := strconv.ParseFloat(top, 64)
	if err != nil {
		return text
	}
	if !isFraction {
		return a
	}
	b, err := strconv.ParseFloat(bottom, 64)
	if err != nil {
		return text
	}
	return a / b
}
