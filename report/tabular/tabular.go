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

// Of returns the columns of a table if nobody chooses them: the parameters in which the
// rows differ, the values, and theory.
func Of(rows []result.Estimate) []string {
	var columns []string
	candidates := []string{names.ColumnExperiment, names.ColumnQuantity, names.ColumnEstimator}
	for _, c := range append(candidates, Params(rows)...) {
		if len(distinct(rows, c)) > 1 {
			columns = append(columns, c)
		}
	}
	columns = append(columns, names.ColumnValue)
	if slices.ContainsFunc(rows, selection.HasOnlyInterval) {
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

// Params returns the parameters of the rows, in the order of the table of names, without the
// estimator, which has its own column.
func Params(rows []result.Estimate) (params []string) {
	for _, e := range names.Entries() {
		isParam := e.Group == names.GroupParameter && e.Name != names.ParamEstimator
		hasParam := func(r result.Estimate) bool { _, ok := r.ParamText(e.Name); return ok }
		if isParam && slices.ContainsFunc(rows, hasParam) {
			params = append(params, e.Name)
		}
	}
	return params
}

// Columns returns all columns that a table of the rows can have.
func Columns(rows []result.Estimate) []string {
	return append(Params(rows),
		names.ColumnExperiment, names.ColumnCell, names.ColumnQuantity, names.ColumnEstimator, names.ColumnN,
		names.ColumnValue, names.ColumnSE, names.ColumnLo, names.ColumnHi, names.ColumnLevel,
		names.ColumnTheory, names.ColumnTheoryKind, names.ColumnResolution)
}

// distinct returns the values of a column, each once.
func distinct(rows []result.Estimate, column string) (values []string) {
	for i := range rows {
		if text := cellOf(&rows[i], column).plain; !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	return values
}

// maxFloating is the number of rows of a table that floats; one with more would leave the page.
const maxFloating = 40

// LaTeX sets the rows as an environment to paste, with these columns; about is a line on the source
// of the rows.
func LaTeX(rows []result.Estimate, columns []string, about string) []byte {
	cells := make([][]cell, len(columns))
	types, heads := make([]string, len(columns)), make([]string, len(columns))
	for i, column := range columns {
		for r := range rows {
			cells[i] = append(cells[i], cellOf(&rows[r], column))
		}
		types[i] = columnType(cells[i])
		heads[i] = "{" + label.LaTeX(heading(column)) + "}"
	}
	caption := fmt.Sprintf(`\caption{%s}\label{%s}`, label.LaTeX(caption(rows, columns)), tableLabel(rows))
	head := "    \\toprule\n    " + strings.Join(heads, " & ") + " \\\\\n    \\midrule\n"
	packages := `\usepackage{booktabs} and \usepackage{siunitx}`
	format := "{" + strings.Join(types, " ") + "}\n"
	begin := "\\begin{table}\n  \\centering\n  " + caption + "\n  \\begin{tabular}" + format + head
	end := "  \\end{tabular}\n\\end{table}\n"
	if len(rows) > maxFloating {
		packages = `\usepackage{booktabs}, \usepackage{longtable} and \usepackage{siunitx}`
		begin = "\\begin{longtable}" + format + "    " + caption + "\\\\\n" +
			head + "    \\endfirsthead\n" + head + "    \\endhead\n"
		end = "\\end{longtable}\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%% Needs %s.\n%% %s\n%s", packages, strings.Join(strings.Fields(about), " "), begin)
	for r := range rows {
		line := make([]string, len(columns))
		for i := range columns {
			line[i] = cells[i][r].latex(strings.HasPrefix(types[i], "S"))
		}
		fmt.Fprintf(&b, "    %s \\\\\n", strings.Join(line, " & "))
	}
	b.WriteString("    \\bottomrule\n" + end)
	return []byte(b.String())
}

// tableLabel returns the label of a table. It contains the experiment and the quantity if all rows
// have the same, so that two tables of one paper have two labels.
func tableLabel(rows []result.Estimate) string {
	text := "tab:mcsim"
	if len(distinct(rows, names.ColumnExperiment)) == 1 {
		text += ":" + rows[0].Experiment
	}
	if len(distinct(rows, names.ColumnQuantity)) == 1 {
		text += ":" + rows[0].Quantity
	}
	return strings.ReplaceAll(text, "_", "-")
}

// plainColumns have names that are words.
var plainColumns = []string{
	names.ColumnExperiment, names.ColumnCell, names.ColumnQuantity, names.ColumnEstimator, names.ColumnValue,
	names.ColumnTheory, names.ColumnResolution,
}

// heading returns the symbol of a parameter, or the name of a column in words.
func heading(column string) string {
	if symbol, ok := label.Parameters[column]; ok {
		return "$" + symbol + "$"
	}
	if e, ok := names.Lookup(names.GroupColumn, column); ok && !slices.Contains(plainColumns, column) {
		return label.EscapeLiteral(e.Title)
	}
	return label.EscapeLiteral(strings.ReplaceAll(column, "_", " "))
}

// caption says what the rows have in common, and how to read the numbers.
func caption(rows []result.Estimate, columns []string) string {
	subject := "Estimates"
	if quantities := distinct(rows, names.ColumnQuantity); len(quantities) == 1 {
		subject = capitalised(label.EscapeLiteral(quantities[0]))
	}
	var fixed []string
	for _, p := range Params(rows) {
		values := distinct(rows, p)
		if len(values) != 1 || slices.Contains(columns, p) {
			continue
		}
		link := " "
		if cellOf(&rows[0], p).number {
			link = " = "
		}
		fixed = append(fixed, heading(p)+link+label.EscapeLiteral(values[0]))
	}
	if len(fixed) > 0 {
		subject += ": " + strings.Join(fixed, ", ")
	}
	sentences := []string{subject}
	if slices.Contains(columns, names.ColumnValue) {
		sentences = append(sentences, notes(rows)...)
	}
	return strings.Join(sentences, ". ") + "."
}

// notes explains the errors of the values, with a sentence for each kind of row.
func notes(rows []result.Estimate) (sentences []string) {
	add := func(isKind func(result.Estimate) bool, sentence string) {
		if slices.ContainsFunc(rows, isKind) {
			sentences = append(sentences, sentence)
		}
	}
	add(func(e result.Estimate) bool { return e.SE.Present() && e.SE > 0 },
		"The standard error of a value stands in parentheses, in units of its last digit")
	add(selection.HasOnlyInterval, "A value with limits and no standard error has the digits that its interval supports")
	add(isUnsure, digits.UnknownErrorMark+" The error is not known")
	return sentences
}

// capitalised writes a small first letter as a capital.
func capitalised(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}
