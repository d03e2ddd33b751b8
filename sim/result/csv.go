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

// WriteCSV writes a table with one line for each estimate. It has a column for every parameter of
// the experiments; the estimator is one of the measured columns. Absent numbers, and parameters
// that the experiment does not have, give empty fields. If an estimate omits the default value of a
// parameter, the field has this value, such as no. No field begins like a formula of a spreadsheet.
func WriteCSV(w io.Writer, estimates []Estimate) error {
	params := paramNames(estimates)
	writer := csv.NewWriter(w)
	head := append([]string{names.ColumnExperiment, names.ColumnCell}, params...)
	for i := range head {
		head[i] = escapeFormula(head[i])
	}
	_ = writer.Write(append(head, measuredColumns...)) // writer.Error returns the first error
	for i := range estimates {
		e := &estimates[i]
		line := []string{escapeFormula(e.Experiment), escapeFormula(e.Cell)}
		for _, p := range params {
			value, _ := e.ParamText(p)
			line = append(line, value)
		}
		_ = writer.Write(append(line, e.measuredFields()...))
	}
	writer.Flush()
	return writer.Error()
}

// WriteTidy writes one line for each parameter of each estimate, with the parameter's name in one
// column and its value in another, so that the columns are the same for all experiments. The
// measured columns are repeated on each line of an estimate. Lines of one estimate have the same
// row number. An estimate without parameters has one line, with both columns empty.
func WriteTidy(w io.Writer, estimates []Estimate) error {
	writer := csv.NewWriter(w)
	head := append([]string{"row", names.ColumnExperiment, names.ColumnCell}, measuredColumns...)
	_ = writer.Write(append(head, "param", "param_value")) // writer.Error returns the first error
	for i := range estimates {
		e := &estimates[i]
		line := append([]string{strconv.Itoa(i + 1), escapeFormula(e.Experiment), escapeFormula(e.Cell)},
			e.measuredFields()...)
		params := paramNames(estimates[i : i+1])
		if len(params) == 0 {
			params = []string{""}
		}
		for _, p := range params {
			value, _ := e.ParamText(p)
			_ = writer.Write(append(line[:len(line):len(line)], escapeFormula(p), value))
		}
	}
	writer.Flush()
	return writer.Error()
}

// measuredColumns are the names of the fields that measuredFields returns.
var measuredColumns = []string{names.ColumnQuantity, names.ColumnEstimator, names.ColumnN, names.ColumnValue,
	names.ColumnSE, names.ColumnLo, names.ColumnHi, names.ColumnLevel, names.ColumnTheory, names.ColumnTheoryKind,
	names.ColumnResolution}

func (e *Estimate) measuredFields() []string {
	return []string{
		escapeFormula(e.Quantity), escapeFormula(e.Estimator), strconv.FormatInt(e.N, 10),
		formatNumber(e.Value), formatNumber(e.SE), formatNumber(e.Lo), formatNumber(e.Hi), formatNumber(e.Level),
		formatNumber(e.Theory), escapeFormula(e.TheoryKind), formatNumber(cmp.Or(e.Resolution, Absent())),
	}
}

// paramNames returns the sorted names of the parameters that the experiments of the estimates have,
// without the estimator, which is one of the measured columns.
func paramNames(estimates []Estimate) []string {
	found := map[string]bool{}
	previous := "" // experiment of the previous estimate
	for i := range estimates {
		for name := range estimates[i].Params {
			found[name] = true
		}
		if experiment := estimates[i].Experiment; experiment != previous {
			for _, parameter := range names.OmittedParams(experiment) {
				found[parameter.Name] = true
			}
			previous = experiment
		}
	}
	delete(found, names.ParamEstimator)
	return slices.Sorted(maps.Keys(found))
}

// ParamText returns the value of a parameter as a field of a table. If the estimate omits the
// parameter, this is its default value. If the experiment does not have the parameter, text is
// empty and ok is false. An infinite temperature is inf, so that programs parse the column as
// numbers.
func (e *Estimate) ParamText(name string) (text string, ok bool) {
	switch v := e.Params[name].(type) {
	case nil:
		for _, parameter := range names.OmittedParams(e.Experiment) {
			if parameter.Name == name {
				return parameter.Omitted, true
			}
		}
		return "", false
	case float64:
		return formatNumber(Number(v)), true
	default:
		if name == names.ParamTemperature && v == names.TemperatureInfinite {
			return "inf", true
		}
		return escapeFormula(fmt.Sprint(v)), true
	}
}

// formulaStarts are the characters at which a spreadsheet recognises a formula.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// escapeFormula prefixes a text with an apostrophe if it begins like a formula and is not a
// number. No name of mcsim begins like a formula.
func escapeFormula(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune(formulaStarts, first) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// formatNumber formats a number with all its digits, and an absent number as "".
func formatNumber(n Number) string {
	if !n.Present() {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', -1, 64)
}
