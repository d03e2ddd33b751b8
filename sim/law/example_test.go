package law_test

import (
	"fmt"
	"strconv"

	"mcsim/sim/law"
)

// Student's t with ν degrees of freedom, scaled to variance 1, has the kurtosis
// 3 + 6/(ν − 4) and no moment from order ν on.
func ExampleParse() {
	number := func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
	l, err := law.Parse("student-t:10", number)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l, l.Kurtosis(), l.Moment(10))
	_, err = law.Parse("normal(2)", number)
	fmt.Println(err)
	// Output:
	// student-t(10) 4 +Inf
	// law normal takes no parameter, but has "2"
}
