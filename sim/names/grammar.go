package names

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The parts that names of quantiles, shares and counts are composed of.
const (
	quantileMiddle = "_q"
	shareEnd       = "_share"
	aboveMiddle    = "_above_"
	percentEnd     = "_percent"
	keysStart      = "keys"
)

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

// composed is the entry of a name that follows the grammar and has none of its
// own: of a quantile, of a share of rows by another bound, or of a count of keys.
func composed(name string) (Entry, bool) {
	if percent, ok := percentOf(name, MaxWeight); ok {
		return maxWeightAbove(percent), true
	}
	if percent, ok := percentOf(name, keysStart); ok {
		return keysAbove(percent), true
	}
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

// CutParameter parts a name from its parameter, as laws and rules are written:
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

// LabelShare names the share of rows that have a label: healthy_share.
func LabelShare(label string) string { return label + shareEnd }

// MaxWeightAbove names the share of rows whose greatest weight is above so many
// percent: max_weight_above_90_percent.
func MaxWeightAbove(percent int) string { return above(MaxWeight, percent) }

// KeysAbove names the mean number of keys of a row whose weight is above so many
// percent: keys_above_1_percent.
func KeysAbove(percent int) string { return above(keysStart, percent) }

func above(start string, percent int) string {
	return start + aboveMiddle + strconv.Itoa(percent) + percentEnd
}

// percentOf parts the name that above makes of start; false for any other.
func percentOf(name, start string) (percent int, ok bool) {
	text, begins := strings.CutPrefix(name, start+aboveMiddle)
	text, ends := strings.CutSuffix(text, percentEnd)
	percent, err := strconv.Atoi(text)
	ok = begins && ends && err == nil && percent >= 1 && percent <= 99 && above(start, percent) == name
	return percent, ok
}

// rowPlace is where the numbers of a row are made.
const rowPlace = "mcsim, sim/attention/row.go"

// maxWeightAbove is the entry of the share of rows whose greatest weight is above a level.
func maxWeightAbove(percent int) Entry {
	return Entry{Name: MaxWeightAbove(percent), Title: fmt.Sprintf("share of rows with a weight above %d %%", percent), Unit: pure, Range: fraction,
		Formula: fmt.Sprintf("P(max α > %v)", float64(percent)/100), Source: rowPlace,
		Definition: fmt.Sprintf("The share of rows in which one key has more than %d %% of the weight.", percent)}
}

// keysAbove is the entry of the number of keys whose weight is above a level.
func keysAbove(percent int) Entry {
	return Entry{Name: KeysAbove(percent), Title: fmt.Sprintf("keys of a weight above %d %%", percent), Unit: "key", Range: "0..n",
		Formula: fmt.Sprintf("E #{α > %v}", float64(percent)/100), Source: rowPlace,
		Definition: fmt.Sprintf("The number of keys of a row that have more than %d %% of the weight, as a mean over rows.", percent)}
}
