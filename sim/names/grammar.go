package names

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// quantileMark separates the quantity from the percentage in the name of a quantile.
const quantileMark = "_q"

// Quantile returns the name of the quantile of probability p of a quantity: x_q05 or x_q50 for the
// quantity x. It panics unless p is a whole number of percent from 1 to 99.
func Quantile(quantity string, p float64) string {
	percent := int(math.Round(100 * p))
	if math.Abs(float64(100*p)-float64(percent)) > 1e-9 || percent < 1 || percent > 99 {
		panic("names: a quantile is at a whole number of percent from 1 to 99")
	}
	return fmt.Sprintf("%s%s%02d", quantity, quantileMark, percent)
}

// ParseQuantile splits the name of a quantile into the quantity and the probability p. ok is false
// for any other name.
func ParseQuantile(name string) (quantity string, p float64, ok bool) {
	markIndex := len(name) - len(quantileMark) - 2
	if markIndex < 1 || name[markIndex:markIndex+len(quantileMark)] != quantileMark {
		return "", 0, false
	}
	percent, err := strconv.ParseUint(name[markIndex+len(quantileMark):], 10, 8)
	if err != nil || percent == 0 {
		return "", 0, false
	}
	return name[:markIndex], float64(percent) / 100, true
}

// composeQuantileEntry composes the entry of a quantile from the entry of its quantity, which must
// have a definition for one row or for a layer of one stack.
func composeQuantileEntry(name string) (Entry, bool) {
	quantity, p, ok := ParseQuantile(name)
	if !ok {
		return Entry{}, false
	}
	i := slices.IndexFunc(table,
		func(e Entry) bool { return e.Name == quantity && e.rowDefinition+e.stackDefinition != "" })
	if i < 0 {
		return Entry{}, false
	}
	e, statistic := table[i], fmt.Sprintf("%.0f %% quantile", 100*p)
	if p == 0.5 {
		statistic = "median"
	}
	meaning := fmt.Sprintf("%.0f %% of them have no more.", 100*p)
	e.Name = name
	if e.rowDefinition == "" {
		e.Title = statistic + " over stacks of the " + e.Title
		e.Definition = fmt.Sprintf("The %s: %s Of a layer of one stack it is this: %s", e.Title, meaning,
			e.stackDefinition)
		return e, true
	}
	e.Title = statistic + " over rows of the " + e.Title
	e.Definition = fmt.Sprintf("The %s: %s Of one row it is this: %s", e.Title, meaning, e.rowDefinition)
	if e.stackDefinition != "" {
		e.Definition += " In depth it is the " + statistic + " over stacks; of a layer of one stack it is this: " +
			e.stackDefinition
	}
	return e, true
}

// CutParameter splits the text of a distribution or a rule into its name and its parameter. It
// accepts three forms: student-t(10), power:1/2 and soft-cap=50. hasParameter is false if the text
// is only a name.
func CutParameter(text string) (name, parameter string, hasParameter bool, err error) {
	i := strings.IndexAny(text, "(:=")
	if i < 0 {
		return text, "", false, nil
	}
	name, parameter = text[:i], text[i+1:]
	if text[i] == '(' {
		var isClosed bool
		parameter, isClosed = strings.CutSuffix(parameter, ")")
		if !isClosed {
			err = fmt.Errorf("%q lacks its closing parenthesis", text)
		}
	}
	return name, parameter, true, err
}
