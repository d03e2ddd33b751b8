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

// WriteCSV writes the estimates as a table with a line for each, and a column for every
// parameter that their experiments have but the estimator, which has its own. What is not
// known, and parameters that an experiment has not, are empty fields; a value that rows
// leave out, such as no, stands there. No field is a formula.
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

// WriteTidy writes the estimates with a line for each of their parameters, of which a
// column has the name and another the value: parameters of all experiments are in the same
// two columns, and none is empty. All that was measured stands on each line of an
// estimate, whose lines share a number; one without parameters has a line with neither.
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

// measuredColumns are the columns of what was measured, in the order of measured.
var measuredColumns = []string{names.ColumnQuantity, names.ColumnEstimator, names.ColumnN, names.ColumnValue,
	names.ColumnSE, names.ColumnLo,
	names.ColumnHi, names.ColumnLevel, names.ColumnTheory, names.ColumnTheoryKind, names.ColumnResolution}

// measured are the fields of what was measured.
func (e *Estimate) measured() []string {
	return []string{field(e.Quantity), field(e.Estimator), strconv.FormatInt(e.N, 10), numberText(e.Value),
		numberText(e.SE),
		numberText(e.Lo), numberText(e.Hi), numberText(e.Level), numberText(e.Theory), field(e.TheoryKind),
		numberText(cmp.Or(e.Resolution, Absent()))}
}

// paramNames are the parameters that the rows' experiments have, sorted, each a column,
// but the estimator, which has a column as a field of the row.
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

// ParamText is a parameter of the row as a field of a table: the value that it has or
// leaves out; ok is false, and the field empty, where the row's experiment has no such
// parameter. An infinite temperature is inf, so that readers of tables take the column for
// numbers.
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

// formulas are the characters with which a spreadsheet takes a cell for a formula.
const formulas = "=+-@\t\r\n＝＋－＠"

// field is a text as a cell that no spreadsheet computes: where it begins as a formula
// does and is no number, an apostrophe stands before it. No name of ours does.
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

// numberText is a number with all its digits, empty where it is absent.
func numberText(n Number) string {
	if !n.Present() {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', -1, 64)
}
