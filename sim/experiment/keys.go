package experiment

import (
	"fmt"
	"strings"

	"mcsim/sim/names"
)

// Bounds of a row's keys.
const leastKeys, mostKeys = 2, 4096

var keysAxis = Axis{
	Name: names.ParamKeys, Range: fmt.Sprintf("%d..%d", leastKeys, mostKeys), Default: []string{"8"}, Probe: "8",
	Parse: func(text string) (Value, error) {
		n, err := Integer(text, leastKeys, mostKeys)
		return Value{Number: float64(n)}, err
	},
}

var sharedKeysAxis = questionAxis(names.ParamSharedKeys)

func (c Cell) keys() int { return int(c.Values[keysAxis.Name].Number) }

func (c Cell) sharesKeys() bool { return c.Values[sharedKeysAxis.Name].Name == names.Yes }

// mostShared bounds the components of shared keys, which must all be kept.
const mostShared = 1 << 18

// mostBlockRows keeps what a block's rows are made of in the cache, and leaves
// work for every core; blockComponents bounds what a block draws.
const mostBlockRows, blockComponents = 1024, 1 << 20

// keptScalings names the scalings that a node holds the rows of.
func keptScalings(all []scaling) string {
	var names []string
	for _, s := range all {
		names = append(names, s.axis+"="+s.value.String())
	}
	return strings.Join(names, ",")
}

// rowColumns are those of a rowTally.
func rowColumns(scalings int, kinds ...string) []Column {
	var columns []Column
	for range scalings {
		for _, kind := range kinds {
			for range rowMeans {
				columns = append(columns, Column{kind, errorOrder})
			}
		}
	}
	return columns
}
