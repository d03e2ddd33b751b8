package digits

import "testing"

// One and two things have words of their own.
func TestAll(t *testing.T) {
	for n, want := range map[int]string{1: "The one gate", 2: "Both gates", 3: "All 3 gates", 4800: "All 4800 gates"} {
		if got := All(n, "gate", "gates"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
