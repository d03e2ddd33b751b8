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

// cell is a cell of the table.
type cell struct {
	plain    string // contents as plain text
	isNumber bool   // plain is a number in the format of package digits
	mark     string // mark after the number
}

// newCell returns the cell of an estimate in a column.
func newCell(e *result.Estimate, column string) cell {
	switch column {
	case names.ColumnExperiment:
		return cell{plain: e.Experiment}
	case names.ColumnCell:
		return cell{plain: e.Cell}
	case names.ColumnQuantity:
		return cell{plain: names.EntryOf(names.GroupQuantity, e.Quantity).Title}
	case names.ColumnEstimator:
		return cell{plain: e.Estimator}
	case names.ColumnTheoryKind:
		return cell{plain: e.TheoryKind}
	case names.ColumnN:
		return cell{plain: digits.Count(e.N), isNumber: true}
	case names.ColumnValue:
		return valueCell(e)
	case names.ColumnSE:
		return cell{plain: digits.TwoDigits(float64(e.SE)), isNumber: true}
	case names.ColumnLo:
		return cell{plain: digits.ValueOnly(float64(e.Lo), errorSize(e)), isNumber: true}
	case names.ColumnHi:
		return cell{plain: digits.ValueOnly(float64(e.Hi), errorSize(e)), isNumber: true}
	case names.ColumnLevel:
		return cell{plain: digits.Short(float64(e.Level)), isNumber: true}
	case names.ColumnTheory:
		return cell{plain: digits.Reference(float64(e.Theory), errorSize(e)), isNumber: true}
	case names.ColumnResolution:
		if e.Resolution == 0 {
			return cell{}
		}
		return cell{plain: digits.TwoDigits(float64(e.Resolution)), isNumber: true}
	}
	if x, ok := e.Params.Number(column); ok {
		return cell{plain: digits.Short(x), isNumber: true}
	}
	text, _ := e.ParamText(column)
	if _, err := strconv.ParseFloat(text, 64); err == nil { // a default value, or "inf"
		return cell{plain: strings.Replace(text, "inf", "∞", 1), isNumber: true}
	}
	return cell{plain: text}
}

// hasUnknownError reports whether an estimate has a value with an unknown error.
func hasUnknownError(e result.Estimate) bool {
	return e.Value.Present() && selection.HasUnknownError(e)
}

// errorSize returns the error that determines the digits of an estimate's numbers: its standard
// error, or otherwise the half-width of its interval. For an interval that is open above, it is the
// distance from the value to the lower limit.
func errorSize(e *result.Estimate) float64 {
	if selection.HasOnlyInterval(*e) && e.Hi.Present() {
		return float64(e.Hi-e.Lo) / 2
	}
	if selection.HasOnlyInterval(*e) {
		return float64(e.Value - e.Lo)
	}
	return float64(e.SE)
}

// valueCell returns the value with its standard error. If there is none, the value has the digits
// that its interval supports, or a mark if its error is not known.
func valueCell(e *result.Estimate) cell {
	value := float64(e.Value)
	switch {
	case hasUnknownError(*e):
		return cell{plain: digits.TwoDigits(value), isNumber: true, mark: digits.UnknownErrorMark}
	case !selection.HasOnlyInterval(*e):
		return cell{plain: digits.Concise(value, float64(e.SE)), isNumber: true}
	}
	text := digits.IntervalEstimate(value, float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	if strings.Contains(text, "[") { // the limits have their own columns
		text = digits.ValueOnly(value, errorSize(e))
	}
	return cell{plain: text, isNumber: true}
}

// siunitxPattern matches numbers in the syntax of LaTeX's package siunitx: sign, integer digits,
// decimals, uncertainty, power.
var siunitxPattern = regexp.MustCompile(`^(-?)(\d+)(?:\.(\d+))?(?:\((\d+)\))?(?:e(-?\d+))?$`)

// toSiunitx converts a number from the format of package digits into the syntax of siunitx.
func toSiunitx(text string) string {
	text = strings.NewReplacer("−", "-", digits.GroupSeparator, "").Replace(text)
	if i := strings.Index(text, "10"); i >= 0 && strings.ContainsAny(text[i+2:], "⁻⁰¹²³⁴⁵⁶⁷⁸⁹") {
		mantissa, power := strings.TrimSuffix(text[:i], "·"), text[i+2:]
		if mantissa == "" || mantissa == "-" {
			mantissa += "1"
		}
		return mantissa + "e" + label.NormalizeSuperscripts(power)
	}
	return text
}

// siunitxNumber returns the number in the syntax of siunitx; ok is false if the cell has another
// content, or a mark next to the number.
func (c cell) siunitxNumber() (text string, ok bool) {
	text = toSiunitx(c.plain)
	return text, c.isNumber && c.mark == "" && siunitxPattern.MatchString(text)
}

// latex returns the cell in LaTeX, for a column of numbers (type S of siunitx) or of text.
func (c cell) latex(inNumbers bool) string {
	number, ok := c.siunitxNumber()
	if ok {
		return number
	}
	text := label.LaTeX(label.EscapeLiteral(c.plain))
	sign, rest, hasSign := strings.Cut(c.plain, " ")
	switch {
	case c.isNumber && siunitxPattern.MatchString(number): // a number with a mark
		text = `\num{` + number + `}`
	case c.isNumber && hasSign && siunitxPattern.MatchString(toSiunitx(rest)): // < 3·10⁻⁵
		text = "$" + sign + `\num{` + toSiunitx(rest) + `}$`
	}
	if c.mark != "" {
		text += label.LaTeX(label.EscapeLiteral(c.mark))
	}
	if inNumbers {
		return "{" + text + "}"
	}
	return text
}

// columnType returns the LaTeX type of a column. It is S, with room for the most digits of each
// part of the numbers, if a cell is a number, or otherwise l.
func columnType(cells []cell) string {
	longest := make([]string, siunitxPattern.NumSubexp()+1)
	hasNumbers := false
	for _, c := range cells {
		text, ok := c.siunitxNumber()
		if !ok {
			continue
		}
		hasNumbers = true
		for i, part := range siunitxPattern.FindStringSubmatch(text) {
			if len(part) > len(longest[i]) {
				longest[i] = part
			}
		}
	}
	if !hasNumbers {
		return "l"
	}
	sign, integer, fraction, uncertainty, power := longest[1], longest[2], longest[3], longest[4], longest[5]
	format := fmt.Sprintf("%s%d.%d", sign, len(integer), len(fraction))
	if uncertainty != "" {
		format += fmt.Sprintf("(%d)", len(uncertainty))
	}
	if power != "" {
		exponent, isNegative := strings.CutPrefix(power, "-")
		format += "e"
		if isNegative {
			format += "-"
		}
		format += strconv.Itoa(len(exponent))
	}
	return "S[table-format=" + format + "]"
}
