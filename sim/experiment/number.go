package experiment

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"mcsim/sim/base/elementary"
)

// Number reads a number as people write it: 64, 1e6, 2^10, 1/3, 5%. It never
// returns NaN or an infinity.
func Number(text string) (float64, error) {
	t := strings.TrimSpace(text)
	if body, ok := strings.CutSuffix(t, "%"); ok {
		x, err := Number(body)
		return x / 100, err
	}
	// Quotients group from the left, so the last / is applied last; powers group from the right.
	if i := strings.LastIndex(t, "/"); i >= 0 {
		return applyOperator(text, t[:i], t[i+1:], func(a, b float64) float64 { return a / b })
	}
	if i := strings.Index(t, "^"); i >= 0 {
		return applyOperator(text, t[:i], t[i+1:], elementary.Pow)
	}
	x, err := strconv.ParseFloat(t, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, newNumberError(text)
	}
	return checkFinite(x, text)
}

// applyOperator applies an operator to the numbers on its left and right. text is the whole
// expression.
func applyOperator(text, left, right string, apply func(a, b float64) float64) (float64, error) {
	a, errA := Number(left)
	b, errB := Number(right)
	if errA != nil || errB != nil {
		return 0, newNumberError(text)
	}
	return checkFinite(apply(a, b), text)
}

// newNumberError returns the error that text is not a number. For a number with one suffix k or M
// it suggests the exponents.
func newNumberError(text string) error {
	body := strings.TrimRight(text, "kKmM")
	if hasOneSuffix := len(body)+1 == len(text); hasOneSuffix {
		if x, err := strconv.ParseFloat(body, 64); err == nil {
			return fmt.Errorf("%q is not a number; write %g thousand or million as %ge3 or %ge6, 1024 times as 2^10",
				text, x, x, x)
		}
	}
	return fmt.Errorf("%q is not a number (like 64, 1e6, 2^10, 1/3, 5%%)", text)
}

// checkFinite refuses NaN and infinities, such as those of 1/0 or 10^999.
func checkFinite(x float64, text string) (float64, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s is not a finite number", text)
	}
	return x, nil
}

// Integer reads a whole number in lo..hi, as people write it.
func Integer(text string, lo, hi int64) (int64, error) {
	x, err := Number(text)
	if err != nil {
		return 0, err
	}
	if x != math.Trunc(x) {
		return 0, fmt.Errorf("%s is not a whole number in %d..%d", text, lo, hi)
	}
	if x < float64(lo) || x > float64(hi) {
		return 0, fmt.Errorf("%s is not in %d..%d", text, lo, hi)
	}
	return int64(x), nil
}

// MaxSeed is the largest seed. JSON readers keep whole numbers up to this one.
const MaxSeed = 1 << 53

// Span is [Lo, Hi), or (0, Hi) if Lo is 0.
type Span struct{ Lo, Hi float64 }

// Allowed values of tolerances, error rates and relative standard errors.
var (
	Tolerances     = Span{Lo: 0, Hi: 1}
	Rates          = Span{Lo: 1e-15, Hi: 0.5}
	RelativeErrors = Span{Lo: 1e-6, Hi: 1}
)

func (s Span) String() string {
	if s.Lo == 0 {
		return fmt.Sprintf("(0, %v)", s.Hi)
	}
	return fmt.Sprintf("[%v, %v)", s.Lo, s.Hi)
}

// Parse parses a number and checks that it is in the span.
func (s Span) Parse(text string) (float64, error) {
	x, err := Number(text)
	if err == nil && (x < s.Lo || x >= s.Hi || x == 0) {
		err = fmt.Errorf("%s is not in %v", text, s)
	}
	return x, err
}
