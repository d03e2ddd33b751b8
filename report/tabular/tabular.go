// Package tabular sets rows of estimates as a table of LaTeX, by booktabs and siunitx,
// with the digits that their errors support.
package tabular

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Of are the columns that a table has where nobody chooses: the parameters in which the
// rows differ, what was measured, and what theory says.
func Of(rows []result.Estimate) []string {
	var columns []string
	for _, c := range []string{names.ColumnExperiment, names.ColumnQuantity, names.ColumnEstimator} {
		if len(different(rows, c)) > 1 {
			columns = append(columns, c)
		}
	}
	for _, p := range Params(rows) {
		if len(different(rows, p)) > 1 {
			columns = append(columns, p)
		}
	}
	columns = append(columns, names.ColumnValue)
	if slices.ContainsFunc(rows, selection.OnlyBounded) {
		columns = append(columns, names.ColumnLo, names.ColumnHi)
	}
	if slices.ContainsFunc(rows, func(e result.Estimate) bool { return e.Theory.Present() }) {
		columns = append(columns, names.ColumnTheory)
	}
	if slices.ContainsFunc(rows, func(e result.Estimate) bool { return e.Resolution > 0 }) {
		columns = append(columns, names.ColumnResolution)
	}
	return columns
}

// Params are the parameters of the rows, in the order of the table of names, but for the
// estimator, which is a column of its own.
func Params(rows []result.Estimate) []string {
	var found []string
	for _, e := range names.All() {
		if e.Group != names.GroupParameter || e.Name == names.ParamEstimator {
			continue
		}
		if slices.ContainsFunc(rows, func(r result.Estimate) bool { _, ok := r.ParamText(e.Name); return ok }) {
			found = append(found, e.Name)
		}
	}
	return found
}

// Columns are all that a table of the rows can have.
func Columns(rows []result.Estimate) []string {
	return append(Params(rows), names.ColumnExperiment, names.ColumnCell, names.ColumnQuantity, names.ColumnEstimator, names.ColumnN, names.ColumnValue,
		names.ColumnSE, names.ColumnLo, names.ColumnHi, names.ColumnLevel, names.ColumnTheory, names.ColumnTheoryKind, names.ColumnResolution)
}

// different are the values of a column, each once.
func different(rows []result.Estimate, column string) []string {
	var found []string
	for i := range rows {
		if text := of(&rows[i], column).plain; !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	return found
}

// LaTeX sets the rows as an environment to paste, with these columns; about is a line on
// where the rows are from.
func LaTeX(rows []result.Estimate, columns []string, about string) []byte {
	cells := make([][]cell, len(columns))
	kinds := make([]string, len(columns))
	heads := make([]string, len(columns))
	for i, column := range columns {
		for r := range rows {
			cells[i] = append(cells[i], of(&rows[r], column))
		}
		kinds[i] = kindOf(cells[i])
		heads[i] = "{" + label.LaTeX(heading(column)) + "}"
	}
	head := fmt.Sprintf("\\caption{%s}\\label{%s}", label.LaTeX(caption(rows, columns)), mark(rows))
	titles := "\\toprule\n    " + strings.Join(heads, " & ") + " \\\\\n    \\midrule"
	packages := "\\usepackage{booktabs} and \\usepackage{siunitx}"
	begin := fmt.Sprintf("\\begin{table}\n  \\centering\n  %s\n  \\begin{tabular}{%s}\n    %s\n", head, strings.Join(kinds, " "), titles)
	end := "  \\end{tabular}\n\\end{table}\n"
	if len(rows) > onOnePage {
		packages = "\\usepackage{booktabs}, \\usepackage{longtable} and \\usepackage{siunitx}"
		begin = fmt.Sprintf("\\begin{longtable}{%s}\n    %s\\\\\n    %s\n    \\endfirsthead\n    %s\n    \\endhead\n", strings.Join(kinds, " "), head, titles, titles)
		end = "\\end{longtable}\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%% Needs %s.\n%% %s\n%s", packages, strings.Join(strings.Fields(about), " "), begin)
	for r := range rows {
		line := make([]string, len(columns))
		for i := range columns {
			line[i] = cells[i][r].latex(strings.HasPrefix(kinds[i], "S"))
		}
		fmt.Fprintf(&b, "    %s \\\\\n", strings.Join(line, " & "))
	}
	b.WriteString("    \\bottomrule\n" + end)
	return []byte(b.String())
}

// onOnePage is how many rows a table that floats has at most: more would leave the page.
const onOnePage = 40

// mark is the label of a table: of its experiment and quantity, where all rows have one,
// so that two tables of one paper have two.
func mark(rows []result.Estimate) string {
	text := "tab:mcsim"
	if len(different(rows, names.ColumnExperiment)) == 1 {
		text += ":" + rows[0].Experiment
	}
	if len(different(rows, names.ColumnQuantity)) == 1 {
		text += ":" + rows[0].Quantity
	}
	return strings.ReplaceAll(text, "_", "-")
}

// plainColumns are called by their names, which are words.
var plainColumns = []string{names.ColumnExperiment, names.ColumnCell, names.ColumnQuantity, names.ColumnEstimator, names.ColumnValue, names.ColumnTheory, names.ColumnResolution}

// heading is what a column is called: the symbol of a parameter, or its name in words.
func heading(column string) string {
	if symbol, ok := label.Parameters[column]; ok {
		return "$" + symbol + "$"
	}
	if e, ok := names.Lookup(names.GroupColumn, column); ok && !slices.Contains(plainColumns, column) {
		return label.Literal(e.Title)
	}
	return label.Literal(strings.ReplaceAll(column, "_", " "))
}

// caption says what the rows have in common, and how to read the numbers.
func caption(rows []result.Estimate, columns []string) string {
	var said []string
	quantities := different(rows, names.ColumnQuantity)
	if len(quantities) == 1 {
		said = append(said, capital(label.Literal(quantities[0])))
	} else {
		said = append(said, "Estimates")
	}
	var fixed []string
	for _, p := range Params(rows) {
		if values := different(rows, p); len(values) == 1 && !slices.Contains(columns, p) {
			link := " "
			if of(&rows[0], p).number {
				link = " = "
			}
			fixed = append(fixed, heading(p)+link+label.Literal(values[0]))
		}
	}
	if len(fixed) > 0 {
		said[0] += ": " + strings.Join(fixed, ", ")
	}
	if slices.Contains(columns, names.ColumnValue) {
		said = append(said, notes(rows)...)
	}
	return strings.Join(said, ". ") + "."
}

// notes say what the values of the rows have behind them, each thing that occurs.
func notes(rows []result.Estimate) (said []string) {
	for _, n := range []struct {
		of   func(result.Estimate) bool
		text string
	}{
		{func(e result.Estimate) bool { return e.SE.Present() && e.SE > 0 }, "The standard error of a value stands in parentheses, in units of its last digit"},
		{selection.OnlyBounded, "A value with limits and no standard error has the digits that its interval supports"},
		{isUnsure, digits.Unsure + " The error is not known"},
	} {
		if slices.ContainsFunc(rows, n.of) {
			said = append(said, n.text)
		}
	}
	return said
}

// capital begins a text with a capital letter, where it begins with a small one.
func capital(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}
