package lesson

import (
	"math"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// tally counts the numbers that a source prints for a step, and those that are wrong.
type tally struct{ printed, wrong, near int }

// count counts the printed numbers of a step.
func count(s result.Step) (t tally) {
	for i, d := range s.Digits {
		if s.Printed[i] == "" {
			continue
		}
		t.printed++
		switch d {
		case names.PrintedWrong:
			t.wrong++
		case names.PrintedNear:
			t.near++
		}
	}
	return t
}

// allRight reports whether a step has printed numbers, all right to their digits.
func (t tally) allRight() bool { return t.printed > 0 && t.wrong+t.near == 0 }

// Some reports whether any is wrong.
func (t tally) Some() bool { return t.wrong > 0 }

// Of and Wrong write how many there are, and how many are wrong.
func (t tally) Of() string    { return digits.InWords(t.printed) }
func (t tally) Wrong() string { return digits.InWords(t.wrong) }

// Are is the verb that goes with those that are wrong.
func (t tally) Are() string { return digits.Form(t.wrong, "is", "are") }

// verdict says in a cell how the printed numbers of a step came out.
func (t tally) verdict() string {
	switch {
	case t.printed == 0:
		return ""
	case t.wrong == t.printed && t.printed > 1:
		return "**all wrong**"
	case t.wrong > 0 && t.printed > 1:
		return "**" + digits.Count(int64(t.wrong)) + " of " + digits.Count(int64(t.printed)) + " wrong**"
	case t.wrong > 0:
		return "**wrong**"
	case t.near > 0:
		return "right within rounding"
	}
	return "right"
}

// asPrinted writes a number as its source has it, with a minus sign.
func asPrinted(text string) string {
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		return "−" + markdown.Escape(rest)
	}
	return markdown.Escape(text)
}

// number reads a printed number, and says how many decimals it has; a percentage is read as
// a share.
func number(text string) (value float64, places int, percent, ok bool) {
	text, percent = strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(text, 64)
	_, fraction, _ := strings.Cut(text, ".")
	if percent {
		value /= 100
	}
	return value, len(fraction), percent, err == nil && !math.IsNaN(value) && !math.IsInf(value, 0)
}

// mostPlaces bounds how many decimals a number takes over from a printed one.
const mostPlaces = 6

// computed writes a number in the unit of the printed one beside it, with a decimal more.
func computed(x result.Number, text string) string {
	printed, places, percent, ok := number(text)
	switch {
	case !ok || !x.Present():
		return digits.Places(float64(x), usualPlaces)
	case percent:
		return digits.Places(100*float64(x), finer(100*float64(x), 100*printed, places)) + "%"
	case x != 0 && math.Abs(float64(x)) < math.Pow10(-places-1)/2:
		return digits.Rough(float64(x))
	}
	return digits.Places(float64(x), finer(float64(x), printed, places))
}

// finer is how many decimals a number has beside a printed one with so many: one more, or
// where that is half way from the printed one to the next, as many as tell a reader to
// which of them it rounds. 10.7498 beside 10.7 would be 10.75 or 10.750, which could round
// to 10.8.
func finer(x, printed float64, places int) int {
	usual := min(places+1, mostPlaces)
	if math.Abs(x-printed) > math.Pow10(-places) {
		return usual
	}
	for n := usual; n <= mostPlaces; n++ {
		text := digits.Places(x, n)
		if rest := strings.TrimRight(text[len(text)-n+min(places, n):], "0"); rest != "5" {
			return n
		}
	}
	return usual
}

// off writes by how much a printed number is too large, in the unit of the printed one.
func off(x result.Number, text string) string {
	printed, places, percent, ok := number(text)
	if !ok || !x.Present() {
		return digits.None
	}
	difference := printed - float64(x)
	if percent {
		return digits.Places(100*difference, finer(100*float64(x), 100*printed, places)) + "%"
	}
	return digits.Places(difference, finer(float64(x), printed, places))
}

// line holds one printed number of a step against the computed one.
func line(s result.Step, i int) []string {
	verdict := ""
	if i < len(s.Digits) {
		verdict = saysOf(s.Digits[i])
	}
	return []string{computed(s.Value[i], s.Printed[i]), asPrinted(s.Printed[i]), off(s.Value[i], s.Printed[i]), verdict}
}

// compared is a table of the numbers that a source prints for a step: what was computed,
// what is printed, by how much that is off, and what that says of its digits.
func compared(e result.Example, step, caption, corner string) view.Table {
	s, ok := e.Step(step)
	if !ok || len(s.Printed) == 0 {
		return view.Table{}
	}
	t := view.Table{Caption: caption, Head: []string{corner, "computed", "printed", "off by", "digits"}, Left: []int{4}}
	rows, columns := labels(s.Rows, s.Shape[0]), labels(s.Columns, s.Shape[1])
	for i, text := range s.Printed {
		if text == "" {
			continue
		}
		where := rows[i/s.Shape[1]] + " → " + columns[i%s.Shape[1]]
		t.Rows = append(t.Rows, append([]string{where}, line(s, i)...))
	}
	return t
}

// ofKeys is a table of the weights that a source prints for one row, a line for each key.
func ofKeys(e result.Example, caption string) view.Table {
	logits, okLogits := e.Step(names.StepLogits)
	weights, okWeights := e.Step(names.StepWeights)
	if !okLogits || !okWeights || len(weights.Printed) == 0 || len(logits.Value) != len(weights.Value) {
		return view.Table{}
	}
	t := view.Table{Caption: caption, Head: []string{"logit", "weight", "printed", "off by", "digits"}, Left: []int{4}}
	places := decimals(logits.Value)
	for i, x := range logits.Value {
		t.Rows = append(t.Rows, append([]string{digits.Places(float64(x), places)}, line(weights, i)...))
	}
	return t
}

// saysOf writes what was found of the digits of one number.
func saysOf(found string) string {
	if found == names.PrintedWrong {
		return "**wrong**"
	}
	return markdown.Escape(found)
}

// recomputed is a table of the rows of a source: logits, their weights beside the printed
// ones, the largest difference, and what that says of the digits.
func recomputed(doc *result.Document, caption string, ids ...string) view.Table {
	t := view.Table{Caption: caption, Head: []string{"logits", "weights", "printed", "off by", "digits"}, Left: []int{1, 2, 4}}
	for _, id := range ids {
		e := doc.Example(id)
		logits, okLogits := e.Step(names.StepLogits)
		weights, okWeights := e.Step(names.StepWeights)
		if !okLogits || !okWeights || len(weights.Printed) == 0 || len(logits.Value) != len(weights.Value) {
			continue
		}
		var of, found, said []string
		for i, x := range logits.Value {
			of = append(of, asGiven(logits, i, x))
		}
		worst := 0
		for i, text := range weights.Printed {
			found, said = append(found, computed(weights.Value[i], text)), append(said, asPrinted(text))
			if distance(weights, i) > distance(weights, worst) {
				worst = i
			}
		}
		t.Rows = append(t.Rows, []string{strings.Join(of, ", "), strings.Join(found, ", "), strings.Join(said, ", "),
			off(weights.Value[worst], weights.Printed[worst]), count(weights).verdict()})
	}
	return t
}

// asGiven writes a logit as its source prints it, where it was computed of scores.
func asGiven(s result.Step, i int, x result.Number) string {
	if len(s.Printed) > i && s.Printed[i] != "" {
		return asPrinted(s.Printed[i])
	}
	return digits.Short(float64(x))
}

// distance is by how much a printed number is off.
func distance(s result.Step, i int) float64 {
	printed, _, _, ok := number(s.Printed[i])
	if !ok || !s.Value[i].Present() {
		return 0
	}
	return math.Abs(printed - float64(s.Value[i]))
}

// summary sets what a source says of a row of weights beside what was computed.
func summary(e result.Example) view.Table {
	t := view.Table{Caption: "What the lesson says of its weights.", Head: []string{"of the weights", "computed", "printed", "digits"}, Left: []int{3}}
	for _, of := range []struct {
		step string
		at   int
		name string
	}{{names.StepMeasures, 0, "largest weight"}, {names.StepMeasures, 1, "their entropy"}, {names.StepLargest, 0, "entropy of equal weights"}} {
		s, ok := e.Step(of.step)
		if !ok || len(s.Printed) <= of.at || s.Printed[of.at] == "" || len(s.Digits) <= of.at {
			return view.Table{}
		}
		t.Rows = append(t.Rows, []string{of.name, computed(s.Value[of.at], s.Printed[of.at]), asPrinted(s.Printed[of.at]), saysOf(s.Digits[of.at])})
	}
	return t
}
