package bench

import (
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/stream"
)

// NormalRows fills rows with normal variates.
func NormalRows(rows [][kernel.Width]float32) {
	var lanes stream.Lanes
	stream.Open(stream.Key{Cell: "bench"}).Block(&lanes, 0)
	kernel.Vectors(law.Normal)(&lanes, rows)
}
