package trust

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/names"
)

// Every gate is listed once, with its experiment, and the counts by kind add up to the
// lists and to what a page says of its own gates.
func TestGatesAreCountedAlike(t *testing.T) {
	doc := sample.Document()
	s := view.NewSource(doc, view.Run{}, nil)
	v := Checks(s)
	listed, counted := map[string]int{}, map[string]int{}
	for _, l := range v.Lists {
		listed[l.Experiment] = len(l.Gates.Rows)
	}
	at := slices.Index(v.Groups.Head, "gates")
	largest := 0
	for _, row := range v.Groups.Rows {
		n, err := strconv.Atoi(row[at])
		if err != nil {
			t.Fatal(err)
		}
		counted[row[0]] += n
		if row[0] == names.ExperimentSoftmax && row[2] == view.QuantityName(names.MaxWeight) {
			largest += n
		}
	}
	all := 0
	for experiment, n := range counted {
		if all += n; listed[experiment] != n {
			t.Errorf("%s: %d gates are counted and %d listed", experiment, n, listed[experiment])
		}
	}
	if all != len(doc.Gates) || len(listed) != len(counted) {
		t.Errorf("%d of %d gates are counted, of %v and %v", all, len(doc.Gates), counted, listed)
	}
	said := s.GatesOn(names.ExperimentSoftmax, names.MaxWeight, "the largest weight")
	if !strings.Contains(said, " "+strconv.Itoa(largest)+" ") {
		t.Errorf("the table counts %d gates, the page on softmax says %q", largest, said)
	}
}

// A gate says for which law it stands.
func TestGatesNameTheirLaw(t *testing.T) {
	for _, l := range Checks(view.NewSource(sample.Document(), view.Run{}, nil)).Lists {
		for _, row := range l.Gates.Rows {
			if l.Experiment == names.ExperimentHealth && row[1] == "" {
				t.Errorf("%v stands nowhere", row)
			}
		}
	}
	doc := sample.Law("x y", 4)
	rows := Checks(view.NewSource(doc, view.Run{}, nil)).Lists[0].Gates.Rows
	if !strings.HasPrefix(rows[0][1], "x y") {
		t.Errorf("%q", rows[0])
	}
}
