package junit

import (
	"fmt"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/result"
)

// Inspection returns the gates of samples or weights as the XML of a report: a suite for what was
// asked, and one for the factor of the code, where it is known.
func Inspection(a *show.Inspected) ([]byte, error) {
	suite := Suite{Name: "inspect", Package: "mcsim"}
	for _, g := range a.Judgement.Gates {
		suite.add(g.Quantity+" of "+g.Name, "mcsim.inspect."+g.Quantity, g.Verdict, show.Said(g))
	}
	if f := a.Applied; f != nil {
		suite.add("factor of q·k", "mcsim.inspect.factor", f.Verdict, show.Factor(f))
	}
	about := []property{{"verdict", string(a.Judgement.Verdict)},
		{"alpha", fmt.Sprint(a.Judgement.Alpha)}, {"beta", fmt.Sprint(a.Judgement.Beta)}}
	for _, caveat := range a.Caveats {
		about = append(about, property{"caveat", caveat})
		suite.said = append(suite.said, "caveat: "+caveat+"\n")
	}
	suite.complete(0, about)
	return (&Report{Suites: []Suite{suite}}).Text()
}

// add adds a case: what fails is a failure, what is undecided an error.
func (s *Suite) add(name, class string, v result.Verdict, says string) {
	c := testCase{Name: name, Class: class}
	found := &problem{Type: string(v), Message: says, Text: name + ": " + says}
	switch v {
	case result.Pass:
	case result.Fail:
		c.Failure = found
	default:
		c.Error = found
	}
	s.Cases = append(s.Cases, c)
	s.said = append(s.said, name+": "+says+"\n")
}
