package trust

import (
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// wholeOf is what Checks says of the sample document with some of its rows changed.
func wholeOf(change func(*result.Estimate)) (wholeView, checksView) {
	doc := sample.Document()
	for i := range doc.Estimates {
		change(&doc.Estimates[i])
	}
	s := view.NewSource(doc, view.Run{}, nil)
	return whole(s), Checks(s)
}

// Each sentence on the document as a whole says what its rows say: that they agree only
// above the declared level, and that the share is to be expected only within the limits.
func TestWholeSaysWhatItsRowsSay(t *testing.T) {
	same, page := wholeOf(func(*result.Estimate) {})
	if !same.Agrees || !strings.Contains(same.Verdict, "agree with theory") || !strings.Contains(same.Intervals, "lies within them") {
		t.Errorf("untouched: %q, %q", same.Verdict, same.Intervals)
	}
	if len(same.Tests.Rows) != 4 || len(same.Repeats.Rows) != 4 || page.Whole.Verdict != same.Verdict {
		t.Errorf("tables of %d and %d rows", len(same.Tests.Rows), len(same.Repeats.Rows))
	}
	broken, _ := wholeOf(func(e *result.Estimate) {
		switch test, _ := e.Params.Text(names.ParamTest); {
		case e.Quantity == names.PValue && (test == names.TestJoint || test == names.TestSquares):
			e.Value = 1e-5
		case e.Quantity == names.IntervalShare && e.Experiment == names.ExperimentAgreement:
			e.Value, e.Lo, e.Hi = 0.8, 0.75, 0.85
		}
	})
	if broken.Agrees || !strings.Contains(broken.Verdict, "do not agree") || !strings.Contains(broken.Intervals, "does not lie within them") {
		t.Errorf("rejected: %q, %q", broken.Verdict, broken.Intervals)
	}
	bold := 0
	for _, row := range broken.Tests.Rows {
		if strings.HasPrefix(row[2], "**") {
			bold++
		}
	}
	if bold != 2 {
		t.Errorf("%d tests are marked, want that of the squares and all together", bold)
	}
	none, _ := wholeOf(func(e *result.Estimate) {
		if e.Experiment == names.ExperimentAgreement || e.Experiment == names.ExperimentRepeats {
			e.Value = result.Absent()
		}
	})
	if none.Verdict != "" || none.Intervals != "" || len(none.Tests.Rows)+len(none.Repeats.Rows) != 0 {
		t.Errorf("without rows: %+v", none)
	}
}

// The last column of the gates by kind is the range of what gates on bounded means notice;
// where there is no such gate, there is no column.
func TestShiftsOfGates(t *testing.T) {
	if got := noticed([]result.Gate{{DetectableShift: 0.0312}, {DetectableShift: result.Absent()}, {DetectableShift: 0.0071}}); got != "0.0071 to 0.031" {
		t.Errorf("%q", got)
	}
	doc := sample.Document()
	with := groups(view.NewSource(doc, view.Run{}, nil))
	for i := range doc.Gates {
		doc.Gates[i].DetectableShift = result.Absent()
	}
	without := groups(view.NewSource(doc, view.Run{}, nil))
	if len(with.Head) != len(without.Head)+1 || len(with.Rows[0]) != len(with.Head) || len(without.Rows[0]) != len(without.Head) || strings.Contains(without.Caption, "nine times") {
		t.Errorf("%d columns and %d", len(with.Head), len(without.Head))
	}
}
