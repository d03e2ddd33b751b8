package theme

// stop is a position on a colour scale, with its colour.
type stop struct {
	position float64 // 0 to 1
	colour   Swatch
}

// divergingStops are the colours of maps. Positions below 0.5 mean that the attention weights are
// spread over many keys, and are blue. Positions above 0.5 mean that a few keys have most of the
// weight, and are orange. Colour-blind readers can distinguish these hues (Brewer, 1994). The
// middle is pale and both ends are deep, so that a copy in grey shows the distance from the middle.
// On a dark page, the middle is dark and the ends are light.
var divergingStops = []stop{
	{0, Swatch{rgb(0x14396b), rgb(0xa5d2fb)}},
	{0.12, Swatch{rgb(0x2e6bae), rgb(0x5aa2e0)}},
	{0.3, Swatch{rgb(0x9dc2de), rgb(0x2f5378)}},
	{0.5, Swatch{rgb(0xeeebe4), rgb(0x2b2c2e)}},
	{0.7, Swatch{rgb(0xf2c08d), rgb(0x6e4526)}},
	{0.85, Swatch{rgb(0xdd7430), rgb(0xbb642c)}},
	{0.95, Swatch{rgb(0xa93519), rgb(0xf08f52)}},
	{1, Swatch{rgb(0x5b140f), rgb(0xffc7a1)}},
}

// DivergingColour returns the colour of the position u, from 0 to 1, on the colour scale of maps.
func DivergingColour(u float64) Swatch { return interpolate(divergingStops, u) }

// interpolate interpolates linearly between the colours of the stops.
func interpolate(stops []stop, u float64) Swatch {
	i := 0
	for i+2 < len(stops) && u >= stops[i+1].position {
		i++
	}
	a, b := stops[i], stops[i+1]
	t := min(1, max(0, (u-a.position)/(b.position-a.position)))
	return Swatch{mix(a.colour.Paper, b.colour.Paper, t), mix(a.colour.Dark, b.colour.Dark, t)}
}
