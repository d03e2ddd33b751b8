package sim_test

import (
	"context"
	"fmt"

	"mcsim/sim"
	"mcsim/sim/plan"
)

// A plan of one cell: is the variance of q·k at d_k = 64 within 5 % of 64?
func Example() {
	p, err := plan.Parse("my plan", []byte(`
seed: 7
tolerance: 5%
experiments:
  - {experiment: variance, law: normal, d_k: 64}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := sim.Run(context.Background(), p, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range doc.Gates {
		fmt.Printf("%s: %s\n", g.Name, g.Verdict)
	}
	again, err := sim.Verify(doc)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("verified:", again.Verdict())
	// Output:
	// zero mean: pass
	// unit variance: pass
	// verified: pass
}
