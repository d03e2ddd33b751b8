package figure

import (
	"math"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/plot"
)

// lifts are how far each marker of a series stands above its place, where a panel of
// names piles those up that would cover each other, half of them downwards; else nothing.
// Where there is no room left, a marker stands on its row.
func (d *drawing) lifts(p plot.Data, b draw.Box, s plot.Series) []vg.Length {
	lifts := make([]vg.Length, len(s.Points))
	if !p.Swarm {
		return lifts
	}
	width := 2 * d.radius()
	room := 0.45*b.Height()/vg.Length(len(p.RowNames)) - d.radius()
	piles := map[[2]float64]int{}
	for i, pt := range s.Points {
		pile := [2]float64{pt.Y, math.Round(float64(b.X(p.ScaleX.Unit(pt.X)) / width))}
		lift := vg.Length((piles[pile]+1)/2) * width
		if lift > room {
			continue
		}
		lifts[i] = lift
		if piles[pile]%2 == 1 {
			lifts[i] = -lift
		}
		piles[pile]++
	}
	return lifts
}
