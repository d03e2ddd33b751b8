package figure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/plot"
)

// lifts are how far each marker of a series stands above its place, where a panel of
// names sets those apart that would cover each other; else nothing.
func (d *drawing) lifts(p plot.Data, b draw.Box, s plot.Series) []vg.Length {
	lifts := make([]vg.Length, len(s.Points))
	if !p.Swarm || !p.Y.Names {
		return lifts
	}
	room := 0.45*b.Height()/vg.Length(len(p.RowNames)) - d.radius()
	rows := map[float64][]int{}
	for i, pt := range s.Points {
		rows[pt.Y] = append(rows[pt.Y], i)
	}
	for _, row := range rows {
		xs := make([]vg.Length, len(row))
		for i, place := range row {
			xs[i] = b.X(p.ScaleX.Unit(s.Points[place].X))
		}
		for i, lift := range swarm(xs, 2*d.radius(), room) {
			lifts[row[i]] = lift
		}
	}
	return lifts
}

// swarm lifts markers of the given width off each other: from left to right, each stands
// as near to its row as it can without touching those before it. Where there is no room
// left, it stands on the row.
func swarm(xs []vg.Length, width, room vg.Length) []vg.Length {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(xs[a], xs[b]) })
	far := func(a vg.Length) float64 { return math.Abs(float64(a)) }
	lifts := make([]vg.Length, len(xs))
	for k, i := range order {
		near := slices.DeleteFunc(slices.Clone(order[:k]), func(j int) bool { return xs[i]-xs[j] >= width })
		candidates := []vg.Length{0}
		for _, j := range near {
			gap := xs[i] - xs[j]
			high := vg.Length(math.Sqrt(float64(width*width - gap*gap)))
			candidates = append(candidates, lifts[j]+high, lifts[j]-high)
		}
		slices.SortStableFunc(candidates, func(a, b vg.Length) int { return cmp.Compare(far(a), far(b)) })
		free := slices.IndexFunc(candidates, func(lift vg.Length) bool {
			return far(lift) <= float64(room) && !slices.ContainsFunc(near, func(j int) bool {
				dx, dy := xs[i]-xs[j], lift-lifts[j]
				return dx*dx+dy*dy < 0.999*width*width
			})
		})
		if free >= 0 {
			lifts[i] = candidates[free]
		}
	}
	return lifts
}
