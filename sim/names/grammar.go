package names

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// quantileMiddle separates a quantity from the probability in the name of a quantile.
const quantileMiddle = "_q"

// Quantile names the quantile of a quantity at the probability p, a whole number
// of percent from 1 to 99: x_q05, x_q50.
func Quantile(quantity string, p float64) string {
	percent := int(math.Round(100 * p))
	if math.Abs(float64(100*p)-float64(percent)) > 1e-9 || percent < 1 || percent > 99 {
		panic("names: a quantile is at a whole number of percent from 1 to 99")
	}
	return fmt.Sprintf("%s%s%02d", quantity, quantileMiddle, percent)
}

// QuantileOf parts the name of a quantile into the quantity and the probability;
// false for any other name.
func QuantileOf(name string) (quantity string, p float64, ok bool) {
	at := len(name) - len(quantileMiddle) - 2
	if at < 1 || name[at:at+len(quantileMiddle)] != quantileMiddle {
		return "", 0, false
	}
	percent, err := strconv.ParseUint(name[at+len(quantileMiddle):], 10, 8)
	if err != nil || percent == 0 {
		return "", 0, false
	}
	return name[:at], float64(percent) / 100, true
}

// composed is the entry of a quantile.
func composed(name string) (Entry, bool) {
	quantity, p, ok := QuantileOf(name)
	if !ok {
		return Entry{}, false
	}
	i := slices.IndexFunc(table, func(e Entry) bool { return e.Name == quantity && e.row+e.stack != "" })
	if i < 0 {
		return Entry{}, false
	}
	e, at := table[i], fmt.Sprintf("%.0f %% quantile", 100*p)
	if p == 0.5 {
		at = "median"
	}
	of := fmt.Sprintf("%.0f %% of them have no more.", 100*p)
	e.Name = name
	if e.row == "" {
		e.Title = at + " over stacks of the " + e.Title
		e.Definition = fmt.Sprintf("The %s: %s Of a layer of one stack it is this: %s", e.Title, of, e.stack)
		return e, true
	}
	e.Title = at + " over rows of the " + e.Title
	e.Definition = fmt.Sprintf("The %s: %s Of one row it is this: %s", e.Title, of, e.row)
	if e.stack != "" {
		e.Definition += " In depth it is the " + at + " over stacks; of a layer of one stack it is this: " + e.stack
	}
	return e, true
}

// CutParameter parts a name from its parameter, as distributions and rules are written:
// student-t(10), power:1/2, soft-cap=50; given is false for a name alone.
func CutParameter(text string) (name, parameter string, given bool, err error) {
	i := strings.IndexAny(text, "(:=")
	if i < 0 {
		return text, "", false, nil
	}
	name, parameter = text[:i], text[i+1:]
	if text[i] == '(' {
		if parameter, given = strings.CutSuffix(parameter, ")"); !given {
			err = fmt.Errorf("%q lacks its closing parenthesis", text)
		}
	}
	return name, parameter, true, err
}
