package tabular

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// cell is a field of the table.
type cell struct {
	plain  string // as text
	number bool   // which package digits wrote
	mark   string // behind it
}

// of is a row's field of a column.
func of(e *result.Estimate, column string) cell {
	switch column {
	case names.ColumnExperiment:
		return cell{plain: e.Experiment}
	case names.ColumnCell:
		return cell{plain: e.Cell}
	case names.ColumnQuantity:
		return cell{plain: names.Of(names.GroupQuantity, e.Quantity).Title}
	case names.ColumnEstimator:
		return cell{plain: e.Estimator}
	case names.ColumnTheoryKind:
		return cell{plain: e.TheoryKind}
	case names.ColumnN:
		return cell{plain: digits.Count(e.N), number: true}
	case names.ColumnValue:
		return valueOf(e)
	case names.ColumnSE:
		return cell{plain: digits.Rough(float64(e.SE)), number: true}
	case names.ColumnLo:
		return cell{plain: digits.Alone(float64(e.Lo), doubt(e)), number: true}
	case names.ColumnHi:
		return cell{plain: digits.Alone(float64(e.Hi), doubt(e)), number: true}
	case names.ColumnLevel:
		return cell{plain: digits.Short(float64(e.Level)), number: true}
	case names.ColumnTheory:
		return cell{plain: digits.Beside(float64(e.Theory), doubt(e)), number: true}
	case names.ColumnResolution:
		if e.Resolution == 0 {
			return cell{}
		}
		return cell{plain: digits.Rough(float64(e.Resolution)), number: true}
	}
	if x, ok := e.Params.Number(column); ok {
		return cell{plain: digits.Short(x), number: true}
	}
	text, _ := e.ParamText(column)
	if _, err := strconv.ParseFloat(text, 64); err == nil { // left out, or infinite
		return cell{plain: strings.Replace(text, "inf", "∞", 1), number: true}
	}
	return cell{plain: text}
}

// isUnsure reports whether the row has a value and nothing that bounds it.
func isUnsure(e result.Estimate) bool { return e.Value.Present() && selection.ErrorUnknown(e) }

// doubt is the error that says how many digits of the row's numbers mean something: its
// standard error, or else half the width of its interval.
func doubt(e *result.Estimate) float64 {
	if selection.OnlyBounded(*e) && e.Hi.Present() {
		return float64(e.Hi-e.Lo) / 2
	}
	if selection.OnlyBounded(*e) {
		return float64(e.Value - e.Lo)
	}
	return float64(e.SE)
}

// valueOf is the value with its standard error, or with the digits that its interval
// supports, or marked where nobody knows how good it is.
func valueOf(e *result.Estimate) cell {
	value := float64(e.Value)
	switch {
	case isUnsure(*e):
		return cell{plain: digits.Rough(value), number: true, mark: digits.Unsure}
	case !selection.OnlyBounded(*e):
		return cell{plain: digits.Concise(value, float64(e.SE)), number: true}
	}
	text := digits.Bounded(value, float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	if strings.Contains(text, "[") { // the limits have columns of their own
		text = digits.Alone(value, doubt(e))
	}
	return cell{plain: text, number: true}
}

// siunitx matches what the package of that name reads as a number: sign, whole part,
// decimals, uncertainty, power.
var siunitx = regexp.MustCompile(`^(-?)(\d+)(?:\.(\d+))?(?:\((\d+)\))?(?:e(-?\d+))?$`)

// written turns a number as package digits writes it into one that siunitx reads.
func written(text string) string {
	text = strings.NewReplacer("−", "-", digits.Group, "").Replace(text)
	if i := strings.Index(text, "10"); i >= 0 && strings.ContainsAny(text[i+2:], "⁻⁰¹²³⁴⁵⁶⁷⁸⁹") {
		mantissa, power := strings.TrimSuffix(text[:i], "·"), text[i+2:]
		if mantissa == "" || mantissa == "-" {
			mantissa += "1"
		}
		return mantissa + "e" + label.PlainDigits(power)
	}
	return text
}

// reads returns the number as siunitx reads it; ok is false for any other text.
func (c cell) reads() (text string, ok bool) {
	text = written(c.plain)
	return text, c.number && c.mark == "" && siunitx.MatchString(text)
}

// latex is the field in LaTeX, in a column of siunitx's or of text.
func (c cell) latex(aligned bool) string {
	number, ok := c.reads()
	if ok {
		return number
	}
	text := label.LaTeX(label.Literal(c.plain))
	sign, rest, compared := strings.Cut(c.plain, " ")
	switch {
	case c.number && siunitx.MatchString(number): // and marked
		text = `\num{` + number + `}`
	case c.number && compared && siunitx.MatchString(written(rest)): // < 3·10⁻⁵
		text = "$" + sign + `\num{` + written(rest) + `}$`
	}
	if c.mark != "" {
		text += label.LaTeX(label.Literal(c.mark))
	}
	if aligned {
		return "{" + text + "}"
	}
	return text
}

// kindOf is the type of a column: one that aligns numbers and has room for the widest, or
// one of text.
func kindOf(cells []cell) string {
	longest := make([]string, siunitx.NumSubexp()+1)
	numbers := false
	for _, c := range cells {
		text, ok := c.reads()
		if !ok {
			continue
		}
		numbers = true
		for i, part := range siunitx.FindStringSubmatch(text) {
			if len(part) > len(longest[i]) {
				longest[i] = part
			}
		}
	}
	if !numbers {
		return "l"
	}
	sign, before, after, uncertainty, power := longest[1], longest[2], longest[3], longest[4], longest[5]
	format := fmt.Sprintf("%s%d.%d", sign, len(before), len(after))
	if uncertainty != "" {
		format += fmt.Sprintf("(%d)", len(uncertainty))
	}
	if power != "" {
		negative := strings.HasPrefix(power, "-")
		format += "e" + map[bool]string{true: "-"}[negative] + strconv.Itoa(len(strings.TrimPrefix(power, "-")))
	}
	return "S[table-format=" + format + "]"
}
