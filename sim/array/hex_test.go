package array

import "strconv"

// hex is a float64 in hexadecimal, or inf or nan.
type hex float64

func (x *hex) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	*x = hex(v)
	return err
}
