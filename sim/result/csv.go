package result

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcsim/sim/names"
)

// WriteCSV writes the estimates as a table with one column for every
// parameter that occurs but the estimator, which has its own, absent numbers as empty fields.
// No field is a formula.
func WriteCSV(w io.Writer, rows []Estimate) error {
	params := paramNames(rows)
	out := csv.NewWriter(w)
	head := append([]string{names.ColumnExperiment, names.ColumnCell}, params...)
	for i := range head {
		head[i] = field(head[i])
	}
	head = append(head, names.ColumnQuantity, names.ColumnEstimator, names.ColumnN, names.ColumnValue, names.ColumnSE, names.ColumnLo, names.ColumnHi, names.ColumnLevel, names.ColumnTheory, names.ColumnTheoryKind, names.ColumnResolution)
	if err := out.Write(head); err != nil {
		return err
	}
	for _, r := range rows {
		line := []string{field(r.Experiment), field(r.Cell)}
		for _, p := range params {
			line = append(line, paramText(r.Params[p]))
		}
		line = append(line, field(r.Quantity), field(r.Estimator), strconv.FormatInt(r.N, 10), numberText(r.Value), numberText(r.SE),
			numberText(r.Lo), numberText(r.Hi), numberText(r.Level), numberText(r.Theory), field(r.TheoryKind), resolutionText(r.Resolution))
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// paramNames are the parameters that occur, sorted, each a column.
func paramNames(rows []Estimate) []string {
	var found []string
	for _, r := range rows {
		for name := range r.Params {
			if name != names.ParamEstimator && !slices.Contains(found, name) { // that has a column as a field of the row
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	return found
}

// paramText is a parameter as a field, empty where the row has none.
func paramText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return numberText(Number(v))
	default:
		return field(fmt.Sprint(v))
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

// resolutionText is the width of a bin as a field, empty where none stands apart.
func resolutionText(n Number) string {
	if n == 0 {
		return ""
	}
	return numberText(n)
}
