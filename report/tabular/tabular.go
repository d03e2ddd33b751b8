// Package tabular writes estimates as a LaTeX table with booktabs and siunitx. Numbers have the
// digits that their errors support.
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

// DefaultColumns returns the default columns of a table: the parameters in which the estimates
// differ and their values. The limits of intervals, theory and the resolution follow if an estimate
// has them.
func DefaultColumns(estimates []result.Estimate) []string {
	var columns []string
	candidates := []string{names.ColumnExperiment, names.ColumnQuantity, names.ColumnEstimator}
	for _, c := range append(candidates, Params(estimates)...) {
		if len(distinctValues(estimates, c)) > 1 {
			columns = append(columns, c)
		}
	}
	columns = append(columns, names.ColumnValue)
	if slices.ContainsFunc(estimates, selection.HasOnlyInterval) {
		columns = append(columns, names.ColumnLo, names.ColumnHi)
	}
	if slices.ContainsFunc(estimates, func(e result.Estimate) bool { return e.Theory.Present() }) {
		columns = append(columns, names.ColumnTheory)
	}
	if slices.ContainsFunc(estimates, func(e result.Estimate) bool { return e.Resolution > 0 }) {
		columns = append(columns, names.ColumnResolution)
	}
	return columns
}

// Params returns the parameters of the estimates in the order of the table of names. It omits the
// estimator, which has its own column.
func Params(estimates []result.Estimate) (params []string) {
	for _, e := range names.Entries() {
		isParam := e.Group == names.GroupParameter && e.Name != names.ParamEstimator
		hasParam := func(r result.Estimate) bool { _, ok := r.ParamText(e.Name); return ok }
		if isParam && slices.ContainsFunc(estimates, hasParam) {
			params = append(params, e.Name)
		}
	}
	return params
}

// Columns returns all columns that a table of the estimates can have.
func Columns(estimates []result.Estimate) []string {
	return append(Params(estimates),
		names.ColumnExperiment, names.ColumnCell, names.ColumnQuantity, names.ColumnEstimator, names.ColumnN,
		names.ColumnValue, names.ColumnSE, names.ColumnLo, names.ColumnHi, names.ColumnLevel,
		names.ColumnTheory, names.ColumnTheoryKind, names.ColumnResolution)
}

// distinctValues returns the distinct values of a column.
func distinctValues(estimates []result.Estimate, column string) (values []string) {
	for i := range estimates {
		if text := newCell(&estimates[i], column).plain; !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	return values
}

// maxFloating is the maximum number of estimates of a floating table. A larger table, which
// would not fit on a page, is a longtable.
const maxFloating = 40

// LaTeX returns a LaTeX environment with a table of the given columns, after a comment.
func LaTeX(estimates []result.Estimate, columns []string, comment string) []byte {
	cells := make([][]cell, len(columns))
	types, heads := make([]string, len(columns)), make([]string, len(columns))
	for i, column := range columns {
		for r := range estimates {
			cells[i] = append(cells[i], newCell(&estimates[r], column))
		}
		types[i] = columnType(cells[i])
		heads[i] = "{" + label.LaTeX(heading(column)) + "}"
	}
	caption := fmt.Sprintf(`\caption{%s}\label{%s}`, label.LaTeX(caption(estimates, columns)), tableLabel(estimates))
	head := "    \\toprule\n    " + strings.Join(heads, " & ") + " \\\\\n    \\midrule\n"
	packages := `\usepackage{booktabs} and \usepackage{siunitx}`
	format := "{" + strings.Join(types, " ") + "}\n"
	begin := "\\begin{table}\n  \\centering\n  " + caption + "\n  \\begin{tabular}" + format + head
	end := "  \\end{tabular}\n\\end{table}\n"
	if len(estimates) > maxFloating {
		packages = `\usepackage{booktabs}, \usepackage{longtable} and \usepackage{siunitx}`
		begin = "\\begin{longtable}" + format + "    " + caption + "\\\\\n" +
			head + "    \\endfirsthead\n" + head + "    \\endhead\n"
		end = "\\end{longtable}\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%% Needs %s.\n%% %s\n%s", packages, strings.Join(strings.Fields(comment), " "), begin)
	for r := range estimates {
		line := make([]string, len(columns))
		for i := range columns {
			line[i] = cells[i][r].latex(strings.HasPrefix(types[i], "S"))
		}
		fmt.Fprintf(&b, "    %s \\\\\n", strings.Join(line, " & "))
	}
	b.WriteString("    \\bottomrule\n" + end)
	return []byte(b.String())
}

// tableLabel returns the label of a table. It contains the experiment if all estimates have the
// same, and the quantity if all have the same, so that the tables of a paper have different labels.
func tableLabel(estimates []result.Estimate) string {
	text := "tab:mcsim"
	if len(distinctValues(estimates, names.ColumnExperiment)) == 1 {
		text += ":" + estimates[0].Experiment
	}
	if len(distinctValues(estimates, names.ColumnQuantity)) == 1 {
		text += ":" + estimates[0].Quantity
	}
	return strings.ReplaceAll(text, "_", "-")
}

// plainColumns are columns whose names are ordinary words, which serve as their headings.
var plainColumns = []string{
	names.ColumnExperiment, names.ColumnCell, names.ColumnQuantity, names.ColumnEstimator, names.ColumnValue,
	names.ColumnTheory, names.ColumnResolution,
}

// heading returns the heading of a column: the symbol of a parameter, the title of a column, or
// its name in words.
func heading(column string) string {
	if symbol, ok := label.Parameters[column]; ok {
		return "$" + symbol + "$"
	}
	if e, ok := names.Lookup(names.GroupColumn, column); ok && !slices.Contains(plainColumns, column) {
		return label.EscapeLiteral(e.Title)
	}
	return label.EscapeLiteral(strings.ReplaceAll(column, "_", " "))
}

// caption returns a caption with the common parameters of the estimates and the format of the
// numbers.
func caption(estimates []result.Estimate, columns []string) string {
	subject := "Estimates"
	if quantities := distinctValues(estimates, names.ColumnQuantity); len(quantities) == 1 {
		subject = capitalize(label.EscapeLiteral(quantities[0]))
	}
	var fixed []string
	for _, p := range Params(estimates) {
		values := distinctValues(estimates, p)
		if len(values) != 1 || slices.Contains(columns, p) {
			continue
		}
		separator := " "
		if newCell(&estimates[0], p).isNumber {
			separator = " = "
		}
		fixed = append(fixed, heading(p)+separator+label.EscapeLiteral(values[0]))
	}
	if len(fixed) > 0 {
		subject += ": " + strings.Join(fixed, ", ")
	}
	sentences := []string{subject}
	if slices.Contains(columns, names.ColumnValue) {
		sentences = append(sentences, notes(estimates)...)
	}
	return strings.Join(sentences, ". ") + "."
}

// notes returns one sentence for each format of errors that the estimates have.
func notes(estimates []result.Estimate) (sentences []string) {
	add := func(needsNote func(result.Estimate) bool, sentence string) {
		if slices.ContainsFunc(estimates, needsNote) {
			sentences = append(sentences, sentence)
		}
	}
	add(func(e result.Estimate) bool { return e.SE.Present() && e.SE > 0 },
		"The standard error of a value stands in parentheses, in units of its last digit")
	add(selection.HasOnlyInterval,
		"A value with limits and no standard error has the digits that its interval supports")
	add(hasUnknownError, digits.UnknownErrorMark+" The error is not known")
	return sentences
}

func capitalize(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}
