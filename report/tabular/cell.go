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
	plain  string // as text
	number bool   // written by package digits
	mark   string // after the number
}

// cellOf returns a row's cell in a column.
func cellOf(e *result.Estimate, column string) cell {
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
		return cell{plain: digits.Count(e.N), number: true}
	case names.ColumnValue:
		return valueOf(e)
	case names.ColumnSE:
		return cell{plain: digits.TwoDigits(float64(e.SE)), number: true}
	case names.ColumnLo:
		return cell{plain: digits.ValueOnly(float64(e.Lo), errorSize(e)), number: true}
	case names.ColumnHi:
		return cell{plain: digits.ValueOnly(float64(e.Hi), errorSize(e)), number: true}
	case names.ColumnLevel:
		return cell{plain: digits.Short(float64(e.Level)), number: true}
	case names.ColumnTheory:
		return cell{plain: digits.Reference(float64(e.Theory), errorSize(e)), number: true}
	case names.ColumnResolution:
		if e.Resolution == 0 {
			return cell{}
		}
		return cell{plain: digits.TwoDigits(float64(e.Resolution)), number: true}
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

// isUnsure reports whether the row has a value without an error.
func isUnsure(e result.Estimate) bool { return e.Value.Present() && selection.HasUnknownError(e) }

// errorSize is the error that says how many digits of the row's numbers mean something: its
// standard error, or else half the width of its interval.
func errorSize(e *result.Estimate) float64 {
	if selection.HasOnlyInterval(*e) && e.Hi.Present() {
		return float64(e.Hi-e.Lo) / 2
	}
	if selection.HasOnlyInterval(*e) {
		return float64(e.Value - e.Lo)
	}
	return float64(e.SE)
}

// valueOf returns the value with its standard error, or with the digits that its interval
// supports, or with a mark if its error is not known.
func valueOf(e *result.Estimate) cell {
	value := float64(e.Value)
	switch {
	case isUnsure(*e):
		return cell{plain: digits.TwoDigits(value), number: true, mark: digits.UnknownErrorMark}
	case !selection.HasOnlyInterval(*e):
		return cell{plain: digits.Concise(value, float64(e.SE)), number: true}
	}
	text := digits.IntervalEstimate(value, float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	if strings.Contains(text, "[") { // the limits have columns of their own
		text = digits.ValueOnly(value, errorSize(e))
	}
	return cell{plain: text, number: true}
}

// siunitx matches what the package of that name reads as a number: sign, whole part,
// decimals, uncertainty, power.
var siunitx = regexp.MustCompile(`^(-?)(\d+)(?:\.(\d+))?(?:\((\d+)\))?(?:e(-?\d+))?$`)

// forSiunitx turns a number as package digits writes it into one that siunitx reads.
func forSiunitx(text string) string {
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

// aligned returns the number as siunitx reads it; ok is false for any other text.
func (c cell) aligned() (text string, ok bool) {
	text = forSiunitx(c.plain)
	return text, c.number && c.mark == "" && siunitx.MatchString(text)
}

// latex returns the cell in LaTeX, in a column of siunitx's or of text.
func (c cell) latex(inNumbers bool) string {
	number, ok := c.aligned()
	if ok {
		return number
	}
	text := label.LaTeX(label.EscapeLiteral(c.plain))
	sign, rest, compared := strings.Cut(c.plain, " ")
	switch {
	case c.number && siunitx.MatchString(number): // and marked
		text = `\num{` + number + `}`
	case c.number && compared && siunitx.MatchString(forSiunitx(rest)): // < 3·10⁻⁵
		text = "$" + sign + `\num{` + forSiunitx(rest) + `}$`
	}
	if c.mark != "" {
		text += label.LaTeX(label.EscapeLiteral(c.mark))
	}
	if inNumbers {
		return "{" + text + "}"
	}
	return text
}

// columnType returns the type of a column: one that aligns numbers and has room for the widest, or
// one of text.
func columnType(cells []cell) string {
	longest := make([]string, siunitx.NumSubexp()+1)
	numbers := false
	for _, c := range cells {
		text, ok := c.aligned()
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
		exponent, isNegative := strings.CutPrefix(power, "-")
		format += "e"
		if isNegative {
			format += "-"
		}
		format += strconv.Itoa(len(exponent))
	}
	return "S[table-format=" + format + "]"
}
