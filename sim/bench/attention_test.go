package bench

import "testing"

// Every text is timed, with the operations that its formula has, and what is derived of the
// times goes together. How long they are is the machine's affair.
func TestAttentionIsTimed(t *testing.T) {
	found, err := Attention()
	if err != nil || len(found) != 3 {
		t.Fatalf("%v, %v", found, err)
	}
	ordered := func(x Times) bool { return 0 < x.Min && x.Min <= x.Median && x.Median <= x.Max }
	for i, a := range found {
		n := int64(128) << i
		if a.Context != n || a.Operations != n*n*(4*64+6) {
			t.Errorf("%d operations of %d tokens", a.Operations, a.Context)
		}
		if !ordered(a.Seconds) || !ordered(a.Rate) || (a.Growth != nil) != (i > 0) {
			t.Errorf("%+v", a)
		}
		if got := a.Rate.Min * a.Seconds.Max / float64(a.Operations); got < 1-1e-12 || got > 1+1e-12 {
			t.Errorf("the least rate times the most seconds is %v of the operations", got)
		}
	}
}
