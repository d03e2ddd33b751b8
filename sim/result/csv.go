package result

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"mcsim/sim/names"
)

// WriteCSV writes the estimates as a table with one column for every
// parameter that occurs but the estimator, which has its own, absent numbers as empty fields.
func WriteCSV(w io.Writer, rows []Estimate) error {
	params := paramNames(rows)
	out := csv.NewWriter(w)
	head := append([]string{names.ColumnExperiment, names.ColumnCell}, params...)
	head = append(head, names.ColumnQuantity, names.ColumnEstimator, names.ColumnN, names.ColumnValue, names.ColumnSE, names.ColumnLo, names.ColumnHi, names.ColumnLevel, names.ColumnTheory, names.ColumnTheoryKind, names.ColumnResolution)
	if err := out.Write(head); err != nil {
		return err
	}
	for _, r := range rows {
		line := []string{r.Experiment, r.Cell}
		for _, p := range params {
			line = append(line, paramText(r.Params[p]))
		}
		line = append(line, r.Quantity, r.Estimator, strconv.FormatInt(r.N, 10), numberText(r.Value), numberText(r.SE),
			numberText(r.Lo), numberText(r.Hi), numberText(r.Level), numberText(r.Theory), r.TheoryKind, resolutionText(r.Resolution))
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
		return fmt.Sprint(v)
	}
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
