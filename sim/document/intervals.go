package document

import (
	"strconv"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// intervalRows are the share of intervals that hold their theory, with limits from
// clusters, and how many clusters there are; none where there are fewer than two.
func intervalRows(cells []experiment.Cell, found []result.Estimate) []result.Estimate {
	clusters := clusterRows(cells, found)
	var hits, sizes []int
	place := map[int]int{}
	all := 0
	for _, r := range found {
		if !counts(r) {
			continue
		}
		of := clusters.of(r.Cell)
		i, ok := place[of]
		if !ok {
			i = len(sizes)
			place[of], hits, sizes = i, append(hits, 0), append(sizes, 0)
		}
		all++
		sizes[i]++
		if r.Lo <= r.Theory && r.Theory <= r.Hi {
			hits[i]++
		}
	}
	if len(sizes) < 2 {
		return nil
	}
	share := theory.ClusteredShare(hits, sizes)
	r := row(names.IntervalShare, all, share.Share)
	lo, hi := share.Limits((1 - experiment.Level) / 2)
	r.SE, r.Lo, r.Hi, r.Level = result.Number(share.SE), result.Number(lo), result.Number(hi), experiment.Level
	// Intervals of normal numbers hold as many; those of others come near to it.
	r.Theory, r.TheoryKind = experiment.Level, names.TheoryLimit
	return []result.Estimate{r, row("clusters", all, float64(len(sizes)))}
}

// clusters parts cells into sets that have no draws in common: cells that some row joins
// are in one.
type clusters struct {
	place  map[string]int // of a cell, or of the pattern of a row over cells
	parent []int
}

// clusterRows finds the clusters of cells, and of the patterns that rows over several cells
// have if they count.
func clusterRows(cells []experiment.Cell, found []result.Estimate) *clusters {
	c := &clusters{place: make(map[string]int, len(cells))}
	parts := make([][]string, len(cells))
	for i, cell := range cells {
		c.add(cell.ID)
		parts[i] = strings.Split(cell.ID, "/")
	}
	for _, r := range found {
		if _, ok := c.place[r.Cell]; ok || !counts(r) {
			continue
		}
		of := c.add(r.Cell)
		pattern := strings.Split(r.Cell, "/")
		for i, cell := range parts {
			if matches(pattern, cell) {
				c.parent[c.root(i)] = c.root(of)
			}
		}
	}
	return c
}

// add gives an id a cluster of its own.
func (c *clusters) add(id string) int {
	n := len(c.parent)
	c.place[id], c.parent = n, append(c.parent, n)
	return n
}

// of is the cluster that a row's cell is in.
func (c *clusters) of(id string) int { return c.root(c.place[id]) }

// root is what a cluster was joined into.
func (c *clusters) root(i int) int {
	for c.parent[i] != i {
		c.parent[i] = c.parent[c.parent[i]]
		i = c.parent[i]
	}
	return i
}

// matches reports whether a cell is one of those that a pattern names: d_k=* is any d_k,
// and d_k=4..8 is 4 or 8. What stands in a cell's id behind the pattern, such as its
// estimator, may be anything.
func matches(pattern, cell []string) bool {
	if len(cell) < len(pattern) {
		return false
	}
	for i, p := range pattern {
		if p != cell[i] && !within(p, cell[i]) {
			return false
		}
	}
	return true
}

// within reports whether a part of an id, name=value, is within that part of a pattern.
func within(pattern, part string) bool {
	name, values, _ := strings.Cut(pattern, "=")
	named, value, ok := strings.Cut(part, "=")
	if !ok || name != named {
		return false
	}
	from, to, isRange := strings.Cut(values, "..")
	if !isRange {
		return values == "*"
	}
	low, errLow := strconv.ParseFloat(from, 64)
	high, errHigh := strconv.ParseFloat(to, 64)
	x, err := strconv.ParseFloat(value, 64)
	return errLow == nil && errHigh == nil && err == nil && low <= x && x <= high
}
