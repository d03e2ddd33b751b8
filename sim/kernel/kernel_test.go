package kernel

import (
	"strconv"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

var distributionNames = []string{
	"normal", "uniform", "rademacher", "laplace", "triangular", "truncated-normal",
	"student-t(2.001)", "student-t(3)", "student-t(5)", "student-t(10)", "student-t(20)", "student-t(1000)",
	"bernoulli-gaussian(0.1)", "bernoulli-gaussian(0.5)", "bernoulli-gaussian(0.999)", "sphere",
}

func mustParse(t testing.TB, name string) distribution.Distribution {
	t.Helper()
	dist, err := distribution.Parse(name, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
	must(t, err)
	return dist
}

func openLanes(cell string) *stream.Lanes {
	s := new(stream.Lanes)
	stream.Open(stream.ID{Seed: 1, Cell: cell}).Block(s, 0)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
