package store

import (
	"errors"
	"testing"
)

// What changes in the file while it is in use is noticed when it is read: it gives an error, and never other numbers.
func TestChangedInUse(t *testing.T) {
	d := holding([]byte(header))
	s := on(t, d)
	c := Cell{ID: "variance/normal", Columns: "x4", Units: units}
	draw(t, s, c, 4, 62)
	must(t, s.Flush())
	b := d.files["nodes"].b
	noticed := 0
	for i := range b {
		b[i] ^= 4
		n, ok, err := s.Total(c, 4)
		b[i] ^= 4
		want, _, err2 := s.Total(c, 4)
		if err2 != nil {
			t.Fatal(err2)
		}
		if err != nil {
			noticed++
		}
		if err == nil && (!ok || n.Moments[0] != want.Moments[0]) || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d changed: %v %v", i, ok, err)
		}
	}
	if noticed < len(b)/2 {
		t.Errorf("of %d changes %d were noticed", len(b), noticed)
	}
}
