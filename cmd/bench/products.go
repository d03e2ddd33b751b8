package main

import (
	"context"
	"path/filepath"
	"strconv"
	"time"

	"mcsim/sim/bench"
	"mcsim/sim/kernel"
)

// A matrix of 384 queries by 384 keys, in chunks of 256 components, as the Gram
// estimator has from d_k = 4096 on.
const (
	productSide  = 384
	productChunk = 256
)

// productRun returns a run of about the given time, a column of tiles a step, which
// gives 10⁹ operations a second, a multiplication and an addition counted as two.
func productRun(name string, each time.Duration) func() float64 {
	products := kernel.ProductsBy(name)
	q := make([][kernel.Width]float32, productSide/kernel.Width*productChunk)
	k := make([][kernel.Width]float32, len(q))
	bench.NormalRows(q)
	bench.NormalRows(k)
	key := 0
	return func() float64 {
		const operations = 2 * productSide * kernel.TileKeys * productChunk
		return 1 / perUnit(each, operations, func() {
			var tile kernel.Tile
			var sums kernel.Sums
			for query := 0; query < productSide; query += kernel.TileQueries {
				panel := query / kernel.Width * productChunk
				products(q[panel:panel+productChunk], query%kernel.Width/kernel.TileQueries,
					k[key/kernel.Width*productChunk:], productChunk, &tile, true, true, &sums)
			}
			key = (key + kernel.TileKeys) % productSide
		})
	}
}

// ProductRatio sets a kernel beside a peer's matrix product on one core.
type ProductRatio struct {
	Peer   string      `json:"peer"`
	Kernel string      `json:"kernel"`
	Ours   bench.Times `json:"ours_gflops"`
	Theirs bench.Times `json:"peer_gflops"`
	Ratio  bench.Times `json:"ratio"` // of rates, ours over the peer's
}

// compareProducts sets a kernel beside NumPy's product of the same matrices.
func (doc *Document) compareProducts(ctx context.Context, s Setting) error {
	python, ok := pythonWith(ctx, "numpy")
	if !ok {
		return ctx.Err()
	}
	const repeat = 400
	run := productRun(s.kernel, 4*s.round)
	const billions = 2e-9 * productSide * productSide * productChunk * repeat
	p := program{"NumPy float32 (its BLAS)", []string{python, filepath.Join(s.Folder, "products_numpy.py"),
		strconv.Itoa(productSide), strconv.Itoa(productChunk), strconv.Itoa(repeat)}, 1 / billions}
	// seconds for 10⁹ operations
	all, missing, err := inTurn(ctx, []program{p}, s.Rounds, func() (round, error) { return round{work: 1 / run()}, nil })
	doc.Missing = append(doc.Missing, missing...)
	for _, c := range all {
		doc.Products = append(doc.Products, ProductRatio{c.name, s.kernel, c.ours.Inverse(), c.theirs.Inverse(), c.ratio})
	}
	return err
}
