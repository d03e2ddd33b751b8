package figure

import (
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
	slices.SortStableFunc(order, func(a, b int) int {
		if xs[a] < xs[b] {
			return -1
		}
		return 1
	})
	lifts := make([]vg.Length, len(xs))
	for k, i := range order {
		candidates := []vg.Length{0}
		var near []int
		for _, j := range order[:k] {
			if gap := xs[i] - xs[j]; gap < width {
				high := vg.Length(math.Sqrt(float64(width*width - gap*gap)))
				candidates = append(candidates, lifts[j]+high, lifts[j]-high)
				near = append(near, j)
			}
		}
		slices.SortStableFunc(candidates, func(a, b vg.Length) int {
			if math.Abs(float64(a)) < math.Abs(float64(b)) {
				return -1
			}
			return 1
		})
		for _, lift := range candidates {
			touches := slices.ContainsFunc(near, func(j int) bool {
				dx, dy := xs[i]-xs[j], lift-lifts[j]
				return dx*dx+dy*dy < 0.999*width*width
			})
			if !touches && vg.Length(math.Abs(float64(lift))) <= room {
				lifts[i] = lift
				break
			}
		}
	}
	return lifts
}
