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

// Condition is a condition of a finding in a template, in the syntax of package claim.
type Condition struct {
	Row, Is, Gates, By string
	Over               *Condition
}

var (
	findingComment = regexp.MustCompile(`(?s)<!-- finding\b(.*?)-->`)
	numberCall     = regexp.MustCompile(`\{\{(?:measured|percent|precise|cell|count) "([^"]*)"`)
)

// ReadConditions returns the conditions of each finding of a template.
func ReadConditions(text string) (conditions [][]Condition) {
	for _, m := range findingComment.FindAllStringSubmatch(text, -1) {
		var list []Condition
		if err := yaml.Unmarshal([]byte(m[1]), &list); err != nil {
			panic("sample: " + err.Error() + m[1])
		}
		conditions = append(conditions, list)
	}
	return conditions
}

// band is the interval of the values of an estimate that satisfy all findings.
type band struct{ lo, hi float64 }

const unbounded = 1e300 // limit of a band that is open on this side

// value returns a number in the interior of the band. A band without an upper limit must have a
// positive lower one.
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

// narrow returns the part of the band that satisfies a requirement (>= x, < x, or in x..y). The
// limits of the requirement are multiples of unit.
func (b band) narrow(requirement string, unit float64) band {
	limit := func(text string) float64 {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			panic("sample: " + requirement + ": " + err.Error())
		}
		return x * unit
	}
	switch {
	case strings.HasPrefix(requirement, ">="):
		b.lo = max(b.lo, limit(requirement[2:]))
	case strings.HasPrefix(requirement, "<"):
		b.hi = min(b.hi, limit(requirement[1:]))
	case strings.HasPrefix(requirement, "in "):
		lo, hi, _ := strings.Cut(requirement[3:], "..")
		b.lo, b.hi = max(b.lo, limit(lo)), min(b.hi, limit(hi))
	}
	return b
}

// Essay returns a copy of the document with all estimates that the essay reads and the gates that
// its conditions name. The estimates have values that satisfy all findings, and narrow intervals.
func Essay() *result.Document {
	bands := map[string]band{}
	var refs, gates []string
	add := func(ref string) {
		if _, known := bands[ref]; !known {
			bands[ref] = band{-unbounded, unbounded}
			refs = append(refs, ref)
		}
	}
	var ratios []Condition
	for _, text := range readTemplates() {
		for _, w := range slices.Concat(ReadConditions(text)...) {
			switch {
			case w.Gates != "":
				gates = append(gates, w.Gates)
			case w.Over != nil:
				add(w.Row)
				add(w.Over.Row)
				ratios = append(ratios, w)
			case w.Row != "":
				add(w.Row)
				bands[w.Row] = bands[w.Row].narrow(w.Is, 1)
			}
		}
		for _, m := range numberCall.FindAllStringSubmatch(text, -1) {
			add(m[1])
		}
	}
	for _, w := range ratios {
		bands[w.Row] = bands[w.Row].narrow(w.Is, bands[w.Over.Row].value())
	}
	doc := Document()
	estimateOf := func(ref string) result.Estimate { return newEstimate(ref, bands[ref].value()) }
	replaceEstimates(doc, names.Map(refs, estimateOf))
	slices.Sort(gates)
	for _, gate := range slices.Compact(gates) {
		addGate(doc, gate)
	}
	doc.Budget.Gates = len(doc.Gates)
	return doc
}

// addGate adds a passing gate to the document, and the estimate that it judges. The text gate has
// the form experiment.quantity.
func addGate(doc *result.Document, gate string) {
	experiment, quantity, _ := strings.Cut(gate, ".")
	e := newEstimate(gate+"[d_k=3]", 1)
	doc.Estimates = append(doc.Estimates, e)
	doc.Gates = append(doc.Gates, result.Gate{
		Name: "sample", Expect: names.ExpectInside, Experiment: experiment, Quantity: quantity,
		Cell: e.Cell, Params: e.Params, Value: 1, SE: e.SE, Lo: 0.99, Hi: 1.01, Band: [2]result.Number{0.9, 1.1},
		Verdict: result.Pass, NormalError: result.Absent(), SingleProduct: result.Absent(),
	})
}

// readTemplates returns the texts of the templates.
func readTemplates() (texts []string) {
	files, err := fs.Glob(templates.Files, "*.md")
	if err != nil {
		panic(err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(templates.Files, name)
		if err != nil {
			panic(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// replaceEstimates adds estimates to the document. They replace its estimates with the same ID.
func replaceEstimates(doc *result.Document, estimates []result.Estimate) {
	replaced := map[string]bool{}
	for _, e := range estimates {
		replaced[estimateID(e)] = true
	}
	isReplaced := func(e result.Estimate) bool { return replaced[estimateID(e)] }
	doc.Estimates = append(slices.DeleteFunc(doc.Estimates, isReplaced), estimates...)
}

// estimateID returns an ID of an estimate's experiment, quantity and parameters. It ignores the
// parameters of models that references in texts omit.
func estimateID(e result.Estimate) string {
	params := maps.Clone(e.Params)
	if e.Experiment == names.ExperimentModels {
		for _, omitted := range []string{names.ParamHeadOf, names.ParamYear, names.ParamEvidence, names.ParamContext} {
			delete(params, omitted)
		}
	}
	return fmt.Sprint(e.Experiment, e.Quantity, params)
}

// experimentsWithoutDistribution are the experiments whose estimates have no distribution.
var experimentsWithoutDistribution = []string{
	names.ExperimentFreezing, names.ExperimentDepth, names.ExperimentInit, names.ExperimentModels,
	names.ExperimentTraining,
}

// newEstimate returns an estimate with a value for a reference
// experiment.quantity[parameter=value, …].
func newEstimate(ref string, value float64) result.Estimate {
	head, list, _ := strings.Cut(strings.TrimSuffix(ref, "]"), "[")
	experiment, quantity, _ := strings.Cut(head, ".")
	params := result.Params{}
	if !slices.Contains(experimentsWithoutDistribution, experiment) {
		params[names.ParamDistribution] = names.DistributionNormal
	}
	for assignment := range strings.SplitSeq(list, ", ") {
		if name, v, ok := strings.Cut(assignment, "="); ok {
			params[name] = parseParam(v)
		}
	}
	x, halfWidth := result.Number(value), result.Number(1e-6*max(value, -value))
	return result.Estimate{
		Experiment: experiment, Cell: ref, Params: params, Quantity: quantity, Estimator: names.EstimatorDirect, N: 20,
		Value: x, SE: halfWidth / 2, Lo: x - halfWidth, Hi: x + halfWidth, Level: 0.95,
		Theory: x, TheoryKind: names.TheoryExact,
	}
}

// parseParam parses a number or a fraction, and returns any other text unchanged.
func parseParam(text string) any {
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
