package figure_test

import (
	"fmt"

	"mcsim/report/figure"
)

// A declaration that lacks something is refused by name.
func ExampleChart_Check() {
	c := figure.Chart{Name: "weights", Title: `Weight of a key against $d_k$`}
	fmt.Println(c.Check())
	// Output: chart "weights": it has no panels
}
