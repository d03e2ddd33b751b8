package digits_test

import (
	"fmt"

	"mcsim/report/digits"
)

// The error decides how many digits of a value are shown.
func ExamplePlusMinus() {
	fmt.Println(digits.PlusMinus(63.9213, 0.0472))
	fmt.Println(digits.PlusMinus(63.9213, 0.9))
	// Output:
	// 63.92 ± 0.05
	// 63.9 ± 0.9
}

// In tables the error stands in parentheses, in units of the last digit.
func ExampleConcise() {
	fmt.Println(digits.Concise(1.00031, 0.00102))
	// Output: 1.0003(10)
}

func ExampleFraction() {
	fmt.Println(digits.Fraction(1.0/3), digits.Fraction(0.5), digits.Fraction(0.37))
	// Output: 1/3 1/2 0.37
}

func ExampleShort() {
	fmt.Println(digits.Short(512), digits.Short(0.0000123))
	// Output: 512 1.23·10⁻⁵
}
