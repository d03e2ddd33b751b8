package progress

import (
	"strings"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8/decor"
)

// What is too much for a number is much, and not less than nothing.
func TestEndless(t *testing.T) {
	if got := steps(1e90, perStep); got < 1<<62 {
		t.Errorf("10⁹⁰ components are %d steps", got)
	}
	if got := steps(5e6, perStep); got != 5000 {
		t.Errorf("5·10⁶ components are %d steps", got)
	}
	st := decor.Statistics{Total: 1 << 62, Current: 1}
	if left := timeLeft(st, time.Hour); strings.Contains(left, "-") {
		t.Errorf("the time left is %q", left)
	}
	if left := timeLeft(decor.Statistics{Total: 4, Current: 1}, time.Second); left != ", 3s left" {
		t.Errorf("the time left is %q", left)
	}
}
