package document

import (
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// intervalEstimates returns the proportion of intervals that contain their theory, and the number
// of clusters of cells from which the limits of the proportion are computed. It returns nil if
// there are fewer than two clusters.
func intervalEstimates(cells []experiment.Cell, estimates []result.Estimate) []result.Estimate {
	cluster := clusterCells(cells, estimates)
	var hits, sizes []int    // intervals of each cluster that contain their theory, and all intervals
	indices := map[int]int{} // index in hits and sizes by cluster
	total := 0
	for _, r := range estimates {
		if !hasJudgedInterval(r) {
			continue
		}
		i, ok := indices[cluster[r.Cell]]
		if !ok {
			i = len(sizes)
			indices[cluster[r.Cell]], hits, sizes = i, append(hits, 0), append(sizes, 0)
		}
		total++
		sizes[i]++
		if r.Lo <= r.Theory && r.Theory <= r.Hi {
			hits[i]++
		}
	}
	if len(sizes) < 2 {
		return nil
	}
	proportion := theory.NewClusteredProportion(hits, sizes)
	r := newWholeEstimate(names.IntervalShare, total, proportion.Proportion)
	lo, hi := proportion.Limits((1 - experiment.Level) / 2)
	r.SE, r.Lo, r.Hi, r.Level = result.Number(proportion.SE), result.Number(lo), result.Number(hi), experiment.Level
	// For normal numbers the expected proportion is exactly the level; otherwise the level is a
	// limit.
	r.Theory, r.TheoryKind = experiment.Level, names.TheoryLimit
	return []result.Estimate{r, newWholeEstimate("clusters", total, float64(len(sizes)))}
}

// clusterCells returns the number of the cluster of each cell ID, and of each pattern of an
// estimate over several cells. Cells that an estimate combines are in one cluster, so that the
// estimates of different clusters have no samples in common.
func clusterCells(cells []experiment.Cell, estimates []result.Estimate) map[string]int {
	clusters, ids := make(map[string]int, len(cells)), make([][]string, len(cells))
	for i, c := range cells {
		clusters[c.ID], ids[i] = i, strings.Split(c.ID, "/")
	}
	for next := range estimates {
		r := &estimates[next]
		if _, ok := clusters[r.Cell]; ok || !hasJudgedInterval(*r) {
			continue
		}
		pattern, joined := strings.Split(r.Cell, "/"), map[int]bool{}
		for i, c := range cells {
			if matchesPattern(pattern, ids[i]) {
				joined[clusters[c.ID]] = true
			}
		}
		for id, cluster := range clusters {
			if joined[cluster] {
				clusters[id] = len(cells) + next
			}
		}
		clusters[r.Cell] = len(cells) + next
	}
	return clusters
}

// matchesPattern reports whether a pattern includes a cell; both are the parts of an ID. The part
// d_k=* includes any d_k, and d_k=4..8 includes 4 and 8. A cell may have more parts than the
// pattern, such as its estimator.
func matchesPattern(pattern, cell []string) bool {
	if len(cell) < len(pattern) {
		return false
	}
	for i, p := range pattern {
		name, values, _ := strings.Cut(p, "=")
		cellName, value, _ := strings.Cut(cell[i], "=")
		includesValue := values == "*" || slices.Contains(strings.Split(values, ".."), value)
		if name != cellName || !includesValue {
			return false
		}
	}
	return true
}
