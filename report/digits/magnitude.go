package digits

import (
	"strconv"
	"strings"
)

// Magnitude writes a size of which only the order and two digits matter:
// 950, 1.2·10⁴, 2.1·10⁹.
func Magnitude(x float64) string {
	if x < 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 1, 64), "e+")
	power, err := strconv.Atoi(exponent)
	if err != nil {
		return None
	}
	return mantissa + "·" + tenTo(power)
}
