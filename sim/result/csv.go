package result

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcsim/sim/names"
)

// WriteCSV writes the estimates as a table with one line each, and a column for every parameter of
// their experiments except the estimator, which has its own column. Unknown numbers and parameters
// that an experiment does not have are empty. A value that rows omit, such as no, is written. No
// field begins like a formula.
func WriteCSV(w io.Writer, rows []Estimate) error {
	params := paramNames(rows)
	out := csv.NewWriter(w)
	head := append([]string{names.ColumnExperiment, names.ColumnCell}, params...)
	for i := range head {
		head[i] = field(head[i])
	}
	_ = out.Write(append(head, measuredColumns...)) // an error stays until the end asks for it
	for i := range rows {
		r := &rows[i]
		line := []string{field(r.Experiment), field(r.Cell)}
		for _, p := range params {
			value, _ := r.ParamText(p)
			line = append(line, value)
		}
		_ = out.Write(append(line, r.measured()...))
	}
	out.Flush()
	return out.Error()
}

// WriteTidy writes one line for each parameter of each estimate, with the parameter's name in one
// column and its value in another, so that parameters of all experiments share two columns. The
// measured columns are repeated on each line of an estimate, whose lines share a number. An
// estimate without parameters has one line with neither.
func WriteTidy(w io.Writer, rows []Estimate) error {
	out := csv.NewWriter(w)
	head := append([]string{"row", names.ColumnExperiment, names.ColumnCell}, measuredColumns...)
	_ = out.Write(append(head, "param", "param_value")) // an error stays until the end asks for it
	for i := range rows {
		r := &rows[i]
		line := append([]string{strconv.Itoa(i + 1), field(r.Experiment), field(r.Cell)}, r.measured()...)
		params := paramNames(rows[i : i+1])
		if len(params) == 0 {
			params = []string{""}
		}
		for _, p := range params {
			value, _ := r.ParamText(p)
			_ = out.Write(append(line[:len(line):len(line)], field(p), value))
		}
	}
	out.Flush()
	return out.Error()
}

// measuredColumns are the columns of measured, in its order.
var measuredColumns = []string{names.ColumnQuantity, names.ColumnEstimator, names.ColumnN, names.ColumnValue,
	names.ColumnSE, names.ColumnLo,
	names.ColumnHi, names.ColumnLevel, names.ColumnTheory, names.ColumnTheoryKind, names.ColumnResolution}

// measured returns the fields of what was measured.
func (e *Estimate) measured() []string {
	return []string{field(e.Quantity), field(e.Estimator), strconv.FormatInt(e.N, 10), numberText(e.Value),
		numberText(e.SE),
		numberText(e.Lo), numberText(e.Hi), numberText(e.Level), numberText(e.Theory), field(e.TheoryKind),
		numberText(cmp.Or(e.Resolution, Absent()))}
}

// paramNames returns the sorted parameters of the rows' experiments, except the estimator, which
// has a column of its own.
func paramNames(rows []Estimate) []string {
	found := map[string]bool{}
	seen := ""
	for i := range rows {
		for name := range rows[i].Params {
			found[name] = true
		}
		if rows[i].Experiment != seen {
			seen = rows[i].Experiment
			for _, e := range names.Omitted(seen) {
				found[e.Name] = true
			}
		}
	}
	delete(found, names.ParamEstimator)
	return slices.Sorted(maps.Keys(found))
}

// ParamText returns a parameter of the estimate as a field of a table: the value that it has or
// omits. ok is false and the field empty if the experiment does not have the parameter. An
// infinite temperature is inf, so that readers of tables take the column as numbers.
func (e *Estimate) ParamText(name string) (text string, ok bool) {
	switch v := e.Params[name].(type) {
	case nil:
		for _, left := range names.Omitted(e.Experiment) {
			if left.Name == name {
				return left.Omitted, true
			}
		}
		return "", false
	case float64:
		return numberText(Number(v)), true
	default:
		if name == names.ParamTemperature && v == names.TemperatureInfinite {
			return "inf", true
		}
		return field(fmt.Sprint(v)), true
	}
}

// formulas are the characters that make a spreadsheet take a cell for a formula.
const formulas = "=+-@\t\r\n＝＋－＠"

// field prefixes a text with an apostrophe if a spreadsheet would compute it: if it begins like a
// formula and is not a number. No name of mcsim does.
func field(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune(formulas, first) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// numberText formats a number with all its digits, "" if it is absent.
func numberText(n Number) string {
	if !n.Present() {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', -1, 64)
}
