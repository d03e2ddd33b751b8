package lesson

import (
	"slices"

	"mcsim/report/digits"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// exampleView is the view of the page of the worked example.
type exampleView struct {
	Any                   bool
	Queries, Keys, Values view.Table
	Product               string // one score, written out
	Scores, Logits        view.Table
	LogitsRight           bool // the source's logits are those of the queries and keys
	Row, Weights          view.Table
	Alpha                 tally // the printed weights
	Twice                 bool  // a row of the printed weights comes of a scale applied twice
	Compared              view.Table
	Blend, BlendPrinted   view.Table
	Average               string // one component of the blend, written out
	Consistent            bool   // the printed blend is that of the printed weights
	Ends                  view.Table
	Gradient, Tenfold     jacobianView
	Shifted, Mean         view.Table
	Masked, Seen          view.Table
	FirstHead, SecondHead view.Table
	HeadBlend             view.Table
	Learning              view.Table
	Unmoved               string // the key whose logit a step of fixed size leaves as it is
	Series, Widget, Notes view.Table
	DividedRight          bool   // the scores that sources divide are divided rightly
	Scaled                string // largest weight of the source's example after its scale
	WidgetSays            view.Table
	WidgetHolds           bool // no number that the lesson prints is wrong
}

// Example fills the page of the worked example.
func Example(s *view.Source) exampleView {
	doc := s.Doc
	e := doc.Example(names.ExampleThreeTokens)
	v := exampleView{
		Any:     len(doc.Examples) > 0,
		Queries: matrix(e, names.StepQueries, "The queries *Q*: a row for each token, a column for each component."),
		Keys:    matrix(e, names.StepKeys, "The keys *K*."),
		Values:  matrix(e, names.StepValues, "The values *V*, as the source prints them."),
		Product: score(e),
		Scores:  matrix(e, names.StepScores, "The scores: a row for each token that asks, a column for each that is asked."),
		Logits:  matrix(e, names.StepLogits, "The logits: the scores divided by √4."),
		Row:     softmaxRow(doc.Example(names.ExampleOneRow)),
		Weights: matrix(e, names.StepWeights, "The weights: how each token (row) divides its attention. Each row adds up to 1."),
		Compared: compared(e, names.StepWeights, "The weights as the source prints them. *Off by* is how much too large the printed number is.",
			"from → to"),
		Blend:        matrix(e, names.StepBlend, "The blend: what attention makes of each token."),
		BlendPrinted: compared(e, names.StepBlend, "The printed blend, beside that of the computed weights.", "token → component"),
		Average:      average(e),
		Ends:         extremes(doc),
		Gradient:     jacobian(doc, names.ExampleGradient, "The Jacobian of the row of the first token: by how much the weight of the row's label grows with the logit of the column's."),
		Tenfold:      jacobian(doc, names.ExampleTenfold, "The same with all logits of the row multiplied by ten."),
		FirstHead:    matrix(doc.Example(names.ExampleHead1), names.StepWeights, "The weights of the first head."),
		SecondHead:   matrix(doc.Example(names.ExampleHead2), names.StepWeights, "The weights of the second head."),
		HeadBlend:    headBlend(doc),
		Learning:     learning(doc),
		Unmoved:      unmoved(doc),
	}
	v.fillVariants(doc)
	v.fillPrinted(doc, e)
	return v
}

// fillVariants fills what becomes of the same numbers with a shift, another mean of the
// keys, or a mask.
func (v *exampleView) fillVariants(doc *result.Document) {
	e := doc.Example(names.ExampleThreeTokens)
	v.Shifted = unchanged(e, doc.Example(names.ExampleShifted), "The row of the first token, and the same with 5 added to each logit.", "logit + 5")
	v.Mean = unchanged(e, doc.Example(names.ExampleCommonMean), "The row of the first token, and the same with 1 added to every component of every key.", "new logit")
	masked := doc.Example(names.ExampleCausal)
	if s, ok := masked.Step(names.StepWeights); ok {
		v.Masked = grid(s, "The weights under a causal mask. A dash stands where a token is hidden.", func(i, j int, x result.Number) string {
			if j > i {
				return digits.None
			}
			return digits.Places(float64(x), usualPlaces)
		})
	}
	v.Seen = sharpness(masked)
}

// fillPrinted fills what the page says of the numbers that sources print.
func (v *exampleView) fillPrinted(doc *result.Document, e result.Example) {
	tallyOf := func(e result.Example, step string) tally {
		s, _ := e.Step(step)
		return count(s)
	}
	v.Alpha = tallyOf(e, names.StepWeights)
	v.LogitsRight = tallyOf(e, names.StepLogits).allRight()
	v.Consistent = tallyOf(doc.Example(names.ExamplePrintedWeights), names.StepBlend).allRight() && tallyOf(e, names.StepBlend).Some()
	v.Twice = slices.Equal(rightRows(doc.Example(names.ExampleScaledTwice)), []bool{true, false, false}) && !slices.Contains(rightRows(e), true)
	v.Series = recomputed(doc, "Rows of the first text, recomputed.", names.ExampleUnits, names.ExampleTens, names.ExampleHundreds, names.ExampleHundredsScaled)
	slider := doc.Example(names.ExampleEightKeys)
	v.Widget, v.WidgetSays = ofKeys(slider, "The row of the lesson, recomputed."), summary(slider)
	v.WidgetHolds = !tallyOf(slider, names.StepWeights).Some() && !tallyOf(slider, names.StepMeasures).Some() && !tallyOf(slider, names.StepLargest).Some()
	v.Notes = recomputed(doc, "Rows of the notes, recomputed.", names.ExampleClose, names.ExampleCloseScaled, names.ExampleSpread, names.ExampleSpreadScaled)
	v.DividedRight = true
	for _, id := range []string{names.ExampleHundredsScaled, names.ExampleCloseScaled, names.ExampleSpreadScaled} {
		v.DividedRight = v.DividedRight && tallyOf(doc.Example(id), names.StepLogits).allRight()
	}
	if s, ok := doc.Example(names.ExampleHundredsScaled).Step(names.StepMeasures); ok {
		v.Scaled = digits.Places(float64(s.Value[0]), usualPlaces)
	}
}

// rightRows says of each row of printed weights whether all of it is right.
func rightRows(e result.Example) (right []bool) {
	s, ok := e.Step(names.StepWeights)
	if !ok || len(s.Digits) == 0 {
		return nil
	}
	for row := range slices.Chunk(s.Digits, s.Shape[1]) {
		right = append(right, !slices.ContainsFunc(row, func(d string) bool { return d != names.PrintedRight }))
	}
	return right
}

// score writes out the score of the first query with the first key.
func score(e result.Example) string {
	q, okQ := e.Step(names.StepQueries)
	k, okK := e.Step(names.StepKeys)
	s, okS := e.Step(names.StepScores)
	if !okQ || !okK || !okS {
		return ""
	}
	x, y := q.Row(0), k.Row(0)
	return product(x, y, decimals(x), decimals(y), s.Value[0], decimals(s.Value[:1]))
}

// average writes out the first component of the first token's blend.
func average(e result.Example) string {
	w, okW := e.Step(names.StepWeights)
	values, okV := e.Step(names.StepValues)
	b, okB := e.Step(names.StepBlend)
	if !okW || !okV || !okB {
		return ""
	}
	var column []result.Number
	for i := range values.Shape[0] {
		column = append(column, values.Row(i)[0])
	}
	return product(w.Row(0), column, usualPlaces, decimals(column), b.Value[0], usualPlaces)
}

// softmaxRow is a table of softmax of one row.
func softmaxRow(e result.Example) view.Table {
	logits, ok := e.Step(names.StepLogits)
	exponentials, okE := e.Step(names.StepExponentials)
	weights, okW := e.Step(names.StepWeights)
	sum, okS := e.Step(names.StepSum)
	if !ok || !okE || !okW || !okS {
		return view.Table{}
	}
	t := beside("Softmax of the first row: the exponential of each logit, over the sum of all.", "key", labels(logits.Columns, logits.Shape[1]),
		column{"logit s", written(logits.Value, decimals(logits.Value))}, column{"e^s", written(exponentials.Value, usualPlaces)}, column{"weight", written(weights.Value, usualPlaces)})
	t.Rows = append(t.Rows, []string{"*sum*", "", digits.Places(float64(sum.Value[0]), usualPlaces), "1"})
	return t
}

// extremes is a table of the blends of a row with all weight on one key and of equal weights.
func extremes(doc *result.Document) view.Table {
	var t view.Table
	for _, of := range []struct{ id, name string }{{names.ExampleOneHot, "all weight on one"}, {names.ExampleUniform, "equal weights"}} {
		e := doc.Example(of.id)
		weights, ok := e.Step(names.StepWeights)
		b, okB := e.Step(names.StepBlend)
		if !ok || !okB || weights.Shape[0] != 1 || b.Shape[0] != 1 {
			return view.Table{}
		}
		t.Head = append([]string{"weights"}, labels(b.Columns, b.Shape[1])...)
		name := of.name
		if j := winner(weights.Value); j >= 0 {
			name = "all on " + labels(weights.Columns, weights.Shape[1])[j]
		}
		t.Rows = append(t.Rows, append([]string{name}, written(b.Value, usualPlaces)...))
	}
	t.Caption = "The blend at the two ends."
	return t
}

// winner is the place of the key that has all the weight, or −1.
func winner(weights []result.Number) int {
	for j, w := range weights {
		if w == 1 {
			return j
		}
	}
	return -1
}
