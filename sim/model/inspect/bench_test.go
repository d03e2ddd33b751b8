package inspect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/kernel"
)

// BenchmarkMeasure times, on one core, all measurements of a head of 4096 queries and 4096 keys
// ("all"), and only the products q·k of this head ("products").
func BenchmarkMeasure(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{64, 128} {
		q, k := sampleVectors(r, 4096, d, normal), sampleVectors(r, 4096, d, normal)
		b.Run(fmt.Sprintf("products/%d", d), func(b *testing.B) {
			long, short := Pack(4096, d, q.Row), Pack(4096, d, k.Row)
			var products kernel.Tile
			for b.Loop() {
				for tile := range long.Tiles() {
					for octet := range 4096 / kernel.TileQueries {
						long.multiply(short, octet, tile, &products)
					}
				}
			}
		})
		b.Run(fmt.Sprintf("all/%d", d), func(b *testing.B) {
			for b.Loop() {
				if _, err := Measure(q, k, Options{Scale: 1 / math.Sqrt(float64(d)), Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
