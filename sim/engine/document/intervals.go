package document

import (
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// intervalEstimates returns the proportion of intervals that contain their theory, with limits
// from clusters, and the number of clusters. It returns none if there are fewer than two clusters.
func intervalEstimates(cells []experiment.Cell, found []result.Estimate) []result.Estimate {
	cluster := clusterCells(cells, found)
	var hits, sizes []int
	place := map[int]int{}
	all := 0
	for _, r := range found {
		if !hasJudgedInterval(r) {
			continue
		}
		i, ok := place[cluster[r.Cell]]
		if !ok {
			i = len(sizes)
			place[cluster[r.Cell]], hits, sizes = i, append(hits, 0), append(sizes, 0)
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
	share := theory.NewClusteredProportion(hits, sizes)
	r := newWholeEstimate(names.IntervalShare, all, share.Proportion)
	lo, hi := share.Limits((1 - experiment.Level) / 2)
	r.SE, r.Lo, r.Hi, r.Level = result.Number(share.SE), result.Number(lo), result.Number(hi), experiment.Level
	// Intervals of normal numbers hold as many; those of others come near to it.
	r.Theory, r.TheoryKind = experiment.Level, names.TheoryLimit
	return []result.Estimate{r, newWholeEstimate("clusters", all, float64(len(sizes)))}
}

// clusterCells assigns cells, and the patterns of estimates over several cells, to numbered
// clusters that have no samples in common: cells that some estimate joins are in one cluster.
func clusterCells(cells []experiment.Cell, found []result.Estimate) map[string]int {
	of, parts := make(map[string]int, len(cells)), make([][]string, len(cells))
	for i, c := range cells {
		of[c.ID], parts[i] = i, strings.Split(c.ID, "/")
	}
	for next := range found {
		r := &found[next]
		if _, ok := of[r.Cell]; ok || !hasJudgedInterval(*r) {
			continue
		}
		pattern, joined := strings.Split(r.Cell, "/"), map[int]bool{}
		for i, c := range cells {
			if matchesPattern(pattern, parts[i]) {
				joined[of[c.ID]] = true
			}
		}
		for id, cluster := range of {
			if joined[cluster] {
				of[id] = len(cells) + next
			}
		}
		of[r.Cell] = len(cells) + next
	}
	return of
}

// matchesPattern reports whether a cell is one of those that a pattern names: d_k=* is any d_k,
// and d_k=4..8 is 4 or 8. The rest of a cell's id after the pattern, such as its estimator, may be
// anything.
func matchesPattern(pattern, cell []string) bool {
	if len(cell) < len(pattern) {
		return false
	}
	for i, p := range pattern {
		name, values, _ := strings.Cut(p, "=")
		named, value, _ := strings.Cut(cell[i], "=")
		if name != named || values != "*" && !slices.Contains(strings.Split(values, ".."), value) {
			return false
		}
	}
	return true
}
