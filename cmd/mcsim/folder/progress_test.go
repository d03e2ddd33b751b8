package folder

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
	if left := timeLeft(st, 0, time.Hour); strings.Contains(left, "-") {
		t.Errorf("the time left is %q", left)
	}
	st = decor.Statistics{Total: 12, Current: 9}
	if left := timeLeft(st, 0, 9*time.Second); left != ", 3s left" {
		t.Errorf("the time left is %q", left)
	}
	if left := timeLeft(st, 6, time.Second); left != ", 1s left" {
		t.Errorf("with 6 of 9 done before, the time left is %q", left)
	}
	if left := timeLeft(st, 9, time.Second); left != "" {
		t.Errorf("with nothing drawn yet, the time left is %q", left)
	}
}
