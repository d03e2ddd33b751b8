package weights

import "testing"

// TestHeadsIfKeyDoesNotDivideModel checks that Heads returns 0 if d_k does not divide d_model.
func TestHeadsIfKeyDoesNotDivideModel(t *testing.T) {
	for _, s := range []Shape{{Model: 512, Key: 100}, {Model: 64, Key: 128}} {
		if got := s.Heads(); got != 0 {
			t.Errorf("%+v.Heads() = %d, want 0", s, got)
		}
	}
}
