package story

import "testing"

// Nothing is refuted by runs that were cut off, and only an interval on one side of the
// bounds, or between them, decides.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		lo, hi, rule, root float64
		want               Verdict
	}{
		{1.3, 2, 1, 1, Supported},
		{1.25, 2, 1, 1, Undecided},
		{1.3, 20, 0, 1, Supported}, // capped: a lower bound is enough
		{0.8, 1.25, 0.5, 0.5, Refuted},
		{1, 1, 1, 1, Refuted},
		{1, 1, 0, 0, NeitherLearns},
		{1, 1, 0.45, 0.45, NeitherLearns},
		{1, 1, 0.45, 0.5, TooFewLearn},
		{1, 1, 0.5, 0.45, TooFewLearn},
		{0.4, 0.7, 1, 1, Fewer},
		{0.4, 0.7, 0.1, 0.1, NeitherLearns},
		{0.7, 1.1, 1, 1, Undecided},
		{0.9, 1.3, 1, 1, Undecided},
	} {
		if got := Of(c.lo, c.hi, c.rule, c.root); got != c.want {
			t.Errorf("[%v, %v] with %v and %v learning: %s, want %s", c.lo, c.hi, c.rule, c.root, got, c.want)
		}
	}
	if Fewer.Kind() != Undecided || Refuted.Kind() != Refuted {
		t.Error("kinds differ")
	}
}
