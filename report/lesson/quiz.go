package lesson

import (
	"math"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// QuizView is the view of the page of questions.
type QuizView struct {
	Verdict      view.Verdict
	Law          string // of the components
	Score        scoreSize
	Powers       powers
	Temperatures temperatures
	Softmax      weightsUnder
	T5           initialisation
	// Rows that texts print: of (2, 1, 1), of (200, 100, 100) and (20, 22, 18, 21) divided
	// by √512, and of the last as they are.
	Units, Hundreds, CloseScaled, Close printedRow
	Blend                               blendOf
	Exercises                           exercises
}

// scoreSize is the variance of the unscaled score at d_k = 64.
type scoreSize struct{ Variance, Doubt string }

// powers is what each scale leaves of the variance at one d_k.
type powers struct {
	Dim                             string
	Third, Root, TwoThirds, Whole   string
	HalfRoot                        string // √(d_k/2)
	Flat                            string // the exponent at which the variance stands still
	Doubt, RootDoubt, HalfRootDoubt string
}

// temperatures is what three temperatures make of the largest weight, on average.
type temperatures struct {
	Dim, Keys          string
	Root               string // √d_k
	One, Usual, Higher string // at T = 1, √d_k and d_k
	Doubt              string
}

// weightsUnder is what softmax makes of rows at the largest d_k of a grid.
type weightsUnder struct {
	Dim, Keys             string
	Raw, Root, Whole      string // the largest weight on average: unscaled, divided by √d_k and by d_k
	RawMedian, RootMedian string // R of the median row
	RawMean               string // and the mean
	Doubt                 string
}

// initialisation is the standard deviation of a logit that an initialisation gives.
type initialisation struct{ SD, Model, Key, Doubt string }

// Quiz fills the page of questions.
func Quiz(s *view.Source) QuizView {
	return QuizView{
		Verdict: s.Verdict(), Law: view.LawHead(s.Law),
		Score: scoreAt(s, 64), Powers: powersOf(s), Temperatures: temperaturesOf(s), Softmax: weightsOf(s),
		Units: printedWrongly(s.Doc, names.ExampleUnits), Hundreds: printedWrongly(s.Doc, names.ExampleHundredsScaled),
		CloseScaled: printedWrongly(s.Doc, names.ExampleCloseScaled), Close: printedWrongly(s.Doc, names.ExampleClose),
		Blend: blendPrintedWrongly(s.Doc),
		T5:    initialised(s, names.InitT5), Exercises: exercisesOf(s),
	}
}

// scoreAt is the variance of the unscaled score at a d_k.
func scoreAt(s *view.Source, dim float64) scoreSize {
	a := facts{src: s}
	return scoreSize{a.say(variance(s, dim)), a.doubt()}
}

// powersOf is what each scale leaves at d_k = 512, whose third roots are whole, or at the
// largest there is.
func powersOf(s *view.Source) powers {
	dims := rows.Numbers(s.Estimates(scaled(s)), names.ParamDimension)
	if len(dims) == 0 {
		return powers{}
	}
	dim := dims[len(dims)-1]
	if slices.Contains(dims, 512) {
		dim = 512
	}
	root, half, each := facts{src: s}, facts{src: s}, facts{src: s}
	there := scaled(s).With(names.ParamDimension, dim)
	at := func(p float64) rows.Filter { return there.With(names.ParamExponent, p) }
	v := powers{
		Dim: digits.Short(dim), Root: root.say(at(0.5)), HalfRoot: half.say(there.With(names.ParamRule, names.RuleHalfRoot)),
		Third: each.say(at(1.0 / 3)), TwoThirds: each.say(at(2.0 / 3)), Whole: each.say(at(1)),
		Flat: each.say(rows.Filter{Experiment: names.ExperimentExponents, Quantity: names.FlatExponent}.With(names.ParamLaw, s.Law)),
	}
	v.Doubt, v.RootDoubt, v.HalfRootDoubt = each.doubt(), root.doubt(), half.doubt()
	return v
}

// temperaturesOf is what temperatures make of the rows that the most of them have.
func temperaturesOf(s *view.Source) temperatures {
	grid := rows.TemperatureGrid(s.Doc)
	dim, ok := grid.Number(names.ParamDimension)
	if !ok {
		return temperatures{}
	}
	a := facts{src: s}
	at := func(t float64) string {
		return a.say(rows.Softmax(names.MaxWeight).Within(grid).With(names.ParamTemperature, t))
	}
	root := math.Sqrt(dim)
	return temperatures{Dim: digits.Short(dim), Keys: view.NumberIn(grid, names.ParamKeys), Root: digits.Short(root),
		One: at(1), Usual: at(root), Higher: at(dim), Doubt: a.doubt()}
}

// weightsOf is what softmax makes of rows at the largest d_k.
func weightsOf(s *view.Source) weightsUnder {
	grid := rows.SoftmaxGrid(s.Doc)
	dim := rows.Largest(s.Estimates(rows.Softmax(names.MaxWeight).Within(grid).With(names.ParamExponent, 0.0)), names.ParamDimension)
	if math.IsNaN(dim) {
		return weightsUnder{}
	}
	a := facts{src: s}
	at := func(quantity string, p float64) string {
		return a.say(rows.Softmax(quantity).Within(grid).With(names.ParamDimension, dim).With(names.ParamExponent, p))
	}
	median := names.Quantile(names.GradientSurvival, 0.5)
	v := weightsUnder{Dim: digits.Short(dim), Keys: view.NumberIn(grid, names.ParamKeys),
		Raw: at(names.MaxWeight, 0), Root: at(names.MaxWeight, 0.5), Whole: at(names.MaxWeight, 1),
		RawMedian: at(median, 0), RootMedian: at(median, 0.5), RawMean: at(names.GradientSurvival, 0)}
	v.Doubt = a.doubt()
	return v
}

// initialised is what an initialisation makes of a logit, in heads of the shape that the
// most were drawn at.
func initialised(s *view.Source, init string) initialisation {
	return initialisedAt(s, init, rows.InitGrid(s.Doc))
}

// initialisedAt is that in heads of one shape.
func initialisedAt(s *view.Source, init string, shape result.Params) initialisation {
	a := facts{src: s}
	v := initialisation{SD: a.say(rows.Init(names.LogitSD).Within(shape).With(names.ParamInit, init)),
		Model: view.NumberIn(shape, names.ParamModel), Key: view.NumberIn(shape, names.ParamDimension)}
	v.Doubt = a.doubt()
	return v
}

// printedRow is a row of logits whose weights a text prints, and prints wrongly.
type printedRow struct {
	Printed string
	Rounded string // the right ones, with the digits of those that are printed
	Exact   string // and with one more
}

// printedWrongly is the row of a worked example; nothing where it is not in the document,
// or what is printed there is right.
func printedWrongly(doc *result.Document, id string) (v printedRow) {
	s, ok := doc.Example(id).Step(names.StepWeights)
	if !ok || !count(s).Some() {
		return v
	}
	return besidePrinted(s.Printed, s.Value)
}

// besidePrinted writes a row of printed numbers and the numbers that are right; nothing
// where one is not printed.
func besidePrinted(printed []string, right []result.Number) (v printedRow) {
	var shown, rounded, exact []string
	for i, text := range printed {
		_, places, _, ok := number(text)
		if !ok {
			return v
		}
		shown, rounded, exact = append(shown, asPrinted(text)), append(rounded, digits.Places(float64(right[i]), min(places, mostPlaces))), append(exact, computed(right[i], text))
	}
	return printedRow{vector(shown), vector(rounded), vector(exact)}
}

// vector writes numbers as the components of a vector.
func vector(numbers []string) string { return "(" + strings.Join(numbers, ", ") + ")" }

// blendOf is the blend of the first token, which a text prints wrongly.
type blendOf struct {
	printedRow
	Logits, Values string // of which it is made
	First          string // the weight of the first key
	Mean           string // the blend of equal weights
	Consistent     bool   // the printed blend is that of the printed weights
}

// blendPrintedWrongly is that of the worked example; nothing where the document lacks a
// part of it, or what is printed there is right.
func blendPrintedWrongly(doc *result.Document) blendOf {
	e := doc.Example(names.ExampleThreeTokens)
	s, ok := e.Step(names.StepBlend)
	logits, okL := e.Step(names.StepLogits)
	weights, okW := e.Step(names.StepWeights)
	values, okV := e.Step(names.StepValues)
	mean, okM := doc.Example(names.ExampleUniform).Step(names.StepBlend)
	if !ok || !okL || !okW || !okV || !okM || !count(s).Some() {
		return blendOf{}
	}
	in := func(row []result.Number, places int) string { return vector(written(row, places)) }
	var of []string
	for i := range values.Shape[0] {
		of = append(of, in(values.Row(i), decimals(values.Value)))
	}
	product, _ := doc.Example(names.ExamplePrintedWeights).Step(names.StepBlend)
	return blendOf{Consistent: count(product).allRight(), printedRow: besidePrinted(s.Printed[:s.Shape[1]], s.Row(0)), Values: strings.Join(of, ", "),
		Logits: in(logits.Row(0), decimals(logits.Value)), First: digits.Places(float64(weights.Value[0]), usualPlaces), Mean: in(mean.Row(0), usualPlaces)}
}
