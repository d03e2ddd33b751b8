package advice

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/names"
)

// The labels stand in one order whatever the number of keys, so that a greater weight is
// never called evener; and they change where the table of names says.
func TestEvennessRises(t *testing.T) {
	order := []string{names.LabelTooSoft, names.LabelSoft, names.LabelUneven, names.LabelSharp}
	for _, label := range order {
		if _, ok := names.Lookup(names.GroupLabel, label); !ok {
			t.Errorf("%s has no definition", label)
		}
	}
	for _, keys := range []int{2, 3, 8, 12, 1024, 1 << 18} {
		last := 0
		for weight := 1 / float64(keys); weight < 1; weight += (1 - weight) / 1000 {
			at := slices.Index(order, Evenness(weight, keys))
			if at < last {
				t.Fatalf("%d keys: a greatest weight of %v is %s, a smaller one %s", keys, weight, order[at], order[last])
			}
			if last = at; 1-weight < 1e-6 {
				break
			}
		}
		if last != len(order)-1 {
			t.Errorf("%d keys: a weight of nearly 1 is %s", keys, order[last])
		}
	}
	for _, c := range []struct {
		odds float64
		keys int
		want string
	}{{1.2501, 1024, names.LabelTooSoft}, {1.2505, 1024, names.LabelSoft}, {1.2964, 8, names.LabelSoft}, {1.2962, 8, names.LabelTooSoft}, {2.6, 1024, names.LabelSoft}, {9.99, 2, names.LabelSoft},
		{10.01, 1024, names.LabelUneven}, {10.01, 12, names.LabelUneven}, {11.01, 12, names.LabelSharp}} {
		weight := c.odds / (c.odds + float64(c.keys-1))
		if got := Evenness(weight, c.keys); got != c.want || math.Abs(Odds(weight, c.keys)-c.odds) > 1e-9 {
			t.Errorf("%v times the others of %d keys is %s, want %s", c.odds, c.keys, got, c.want)
		}
	}
}
