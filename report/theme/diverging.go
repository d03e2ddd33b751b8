package theme

// stop is a place on a scale of colours, with its colour.
type stop struct {
	at     float64
	colour Swatch
}

// departures are the colours of maps: cool where weights are spread, calm at the limit of
// concentration, warm where they are concentrated.
// Both ends go on from bright to deep, so that grey tells the middle from an end, and
// blue and orange are told apart by colour-blind eyes (Brewer, 1994). On a dark page the
// middle is dark, and the ends are light.
var departures = []stop{
	{0, Swatch{rgb(0x14396b), rgb(0xa5d2fb)}},
	{0.12, Swatch{rgb(0x2e6bae), rgb(0x5aa2e0)}},
	{0.3, Swatch{rgb(0x9dc2de), rgb(0x2f5378)}},
	{0.5, Swatch{rgb(0xeeebe4), rgb(0x2b2c2e)}},
	{0.7, Swatch{rgb(0xf2c08d), rgb(0x6e4526)}},
	{0.85, Swatch{rgb(0xdd7430), rgb(0xbb642c)}},
	{0.95, Swatch{rgb(0xa93519), rgb(0xf08f52)}},
	{1, Swatch{rgb(0x5b140f), rgb(0xffc7a1)}},
}

// Departed is the colour of u, from 0 to 1, on maps.
func Departed(u float64) Swatch { return along(departures, u) }

// along is the colour of u between the stops, on a straight line from one to the next.
func along(stops []stop, u float64) Swatch {
	i := 0
	for i+2 < len(stops) && u >= stops[i+1].at {
		i++
	}
	a, b := stops[i], stops[i+1]
	t := min(1, max(0, (u-a.at)/(b.at-a.at)))
	return Swatch{mix(a.colour.Paper, b.colour.Paper, t), mix(a.colour.Dark, b.colour.Dark, t)}
}
