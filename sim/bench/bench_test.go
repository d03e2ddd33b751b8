package bench

import "testing"

// A summary is the median, the least and the most; that of ratios goes round by round, so that a
// machine that slows down from round to round changes none.
func TestSummary(t *testing.T) {
	for _, c := range []struct {
		rounds []float64
		want   Times
	}{
		{[]float64{3}, Times{3, 3, 3}},
		{[]float64{5, 1, 2}, Times{2, 1, 5}},
		{[]float64{4, 1, 2, 9}, Times{3, 1, 9}},
	} {
		if got := Summary(c.rounds); got != c.want {
			t.Errorf("summary of %v is %v, want %v", c.rounds, got, c.want)
		}
	}
	if got, want := Ratios([]float64{10, 30, 20}, []float64{5, 15, 10}), (Times{2, 2, 2}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := (Times{2, 1, 4}).Inverse(), (Times{0.5, 0.25, 1}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
