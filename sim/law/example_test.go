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

// The moments of the normal law are 1, 3, 15, 105, …; of the uniform one on
// [−√3, √3] they are 3^(k/2)/(k + 1).
func ExampleLaw_Moment() {
	for _, l := range []law.Law{law.Normal, law.Uniform} {
		fmt.Printf("%v: %.4g, %.4g, %.4g, %.4g\n", l, l.Moment(2), l.Moment(4), l.Moment(6), l.Moment(8))
	}
	// Output:
	// normal: 1, 3, 15, 105
	// uniform: 1, 1.8, 3.857, 9
}

func ExampleUsual() {
	for _, l := range law.Usual() {
		if l.Param() != 0 {
			fmt.Println(l)
		}
	}
	// Output:
	// student-t(10)
	// bernoulli-gaussian(0.1)
}
