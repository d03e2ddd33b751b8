package softmax

import (
	"math"
	"testing"

	"mcsim/sim/attention"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// newDocument returns a document with the estimates of the cells, which form a line, and the curves
// of their typical row.
func newDocument(t *testing.T, seed, attempt uint64, cells ...experiment.Cell) *result.Document {
	doc := &result.Document{}
	for _, c := range cells {
		doc.Estimates = append(doc.Estimates, ranksEstimates(c, experimenttest.SampleCell(c, 1)).Estimates...)
	}
	experimenttest.Finish(t, finishRanks, experiment.SampledCells{Cells: cells, Seed: seed, Attempt: attempt}, doc)
	return doc
}

func selectCurves(doc *result.Document, quantity string) (curves []result.Curve) {
	for _, c := range doc.Curves {
		if c.Quantity == quantity {
			curves = append(curves, c)
		}
	}
	return curves
}

// TestWalksEndAtTheScores checks that the last partial scores of a row have the same bits as the
// scores that the experiment samples for this row of the longest vectors, with two attempts. It
// also checks the points of the curves: one for each of the first 16 components, and then 16 equal
// steps in each octave.
func TestWalksEndAtTheScores(t *testing.T) {
	for i, test := range []struct {
		longest experiment.Cell
		points  int
	}{
		{newRanksCell(t, "normal", 100, 8, "1/2"), 16 + 2*16 + 9},
		{newRanksCell(t, "normal", 20, 3, "1/2"), 16 + 4},
		{newRanksCell(t, "normal", 3000, 12, "1/2"), 16 + 7*16 + 8},
	} {
		c, attempt := test.longest, uint64(i%2)
		walks := selectCurves(newDocument(t, 7, attempt, newRanksCell(t, "normal", 5, rows.Keys(c), "1/2"), c),
			names.PartialScore)
		var blockStream experiment.BlockStream
		blockStream.Begin(stream.Open(stream.ID{Seed: 7, Cell: c.ID, Attempt: attempt}), 0)
		group := rows.NewRowGroup(c, rows.Keys(c), nil)
		row, _ := walks[0].Params.Number(names.ParamRow)
		for range int(row)/kernel.Width + 1 {
			group.SampleRows(&blockStream.Lanes)
		}
		lane := int(row) % kernel.Width
		if want := min(8, rows.Keys(c)); len(walks) != want {
			t.Fatalf("%s: got %d walks, want %d", c.ID, len(walks), want)
		}
		for j, walk := range walks {
			last := len(walk.X) - 1
			if want := result.Number(c.Dimension()); walk.X[last] != want {
				t.Errorf("%s: walk %d ends at %v components, want %v", c.ID, j+1, walk.X[last], want)
			}
			if got, want := float64(walk.Y[last]), float64(group.Scores[j][lane]); got != want {
				t.Errorf("%s: walk %d ends with %v, want the score %v", c.ID, j+1, got, want)
			}
			for i, x := range walk.X[:last] {
				want := float64(i + 1)
				if i >= 16 {
					want = math.Exp2(float64(i/16-1)) * float64(16+i%16+1)
				}
				if float64(x) != want {
					t.Errorf("%s: point %d of walk %d is at %v components, want %v", c.ID, i, j+1, x, want)
				}
			}
			if got := walk.Params[names.ParamKey]; got != float64(j+1) {
				t.Errorf("%s: walk %d is of key %v, want %d", c.ID, j+1, got, j+1)
			}
			if got := walk.Params[names.ParamRow]; got != row {
				t.Errorf("%s: walk %d is of row %v, want %v as the first walk", c.ID, j+1, got, row)
			}
			if got := len(walk.X); got != test.points {
				t.Errorf("%s: walk %d has %d points, want %d", c.ID, j+1, got, test.points)
			}
		}
	}
}

// TestTypicalRow checks with independent code that no row of the first block is nearer to the
// medians of R, over all d_k and exponents, than the typical row. It also checks that the curves of
// weights have the softmax of the scores of its first components.
func TestTypicalRow(t *testing.T) {
	line := []experiment.Cell{newRanksCell(t, "normal", 4, 8, "0 1/2 1"), newRanksCell(t, "normal", 64, 8, "0 1/2 1")}
	doc := newDocument(t, 11, 0, line...)
	curves := selectCurves(doc, names.KeyWeight)
	if len(curves) != 6 {
		t.Fatalf("got %d curves of weights, want 6: one for each exponent and d_k", len(curves))
	}
	reader, err := replay.Open(11, 0, line[1])
	if err != nil {
		t.Fatal(err)
	}
	// computeWeights returns the weights of a row truncated to the d_k of c, and the distance of R
	// from the median of the cell.
	computeWeights := func(row replay.Row, c experiment.Cell, s rows.Scaling) (weights []float64, distance float64) {
		for _, k := range row.Keys {
			sum := 0.0
			for i := range c.Dimension() {
				sum += float64(row.Query[i]) * float64(k[i])
			}
			weights = append(weights, sum*s.Factor)
		}
		attention.Softmax(weights)
		squares := 0.0
		for _, w := range weights {
			squares += w * w
		}
		return weights, math.Abs((1-squares)/(1-1./8) - medianRelativeTrace(c, s, doc))
	}
	maxDistance := func(row replay.Row) (largest float64) {
		for _, c := range line {
			for _, s := range rows.Scalings(c) {
				_, distance := computeWeights(row, c, s)
				largest = max(largest, distance)
			}
		}
		return largest
	}
	typicalIndex, _ := curves[0].Params.Number(names.ParamRow)
	typicalRow, _ := reader.Row(int64(typicalIndex))
	for i := range blockUnits(line[1]) {
		if row, _ := reader.Row(i); maxDistance(row) < maxDistance(typicalRow)-1e-5 {
			t.Fatalf("row %d is nearer to the medians than row %v", i, typicalIndex)
		}
	}
	for i, c := range line {
		for j, s := range rows.Scalings(c) {
			want, _ := computeWeights(typicalRow, c, s)
			for k, w := range want {
				curve := curves[3*i+j]
				if got, want := curve.X[k], result.Number(k+1); got != want {
					t.Errorf("%v: point %d is at key %v, want %v", curve.Params, k, got, want)
				}
				if math.Abs(float64(curve.Y[k])-w) > 1e-5 {
					t.Errorf("%v: the weight of key %d: got %v, want %v", curve.Params, k+1, curve.Y[k], w)
				}
			}
		}
	}
}

// TestTypicalWalks checks with independent code that no row of the first block has partial scores
// nearer to the variance d, for all d of the curves from 8, than the row of the curves.
func TestTypicalWalks(t *testing.T) {
	c := newRanksCell(t, "normal", 64, 8, "1/2")
	walks := selectCurves(newDocument(t, 11, 0, c), names.PartialScore)
	reader, err := replay.Open(11, 0, c)
	if err != nil {
		t.Fatal(err)
	}
	distance := func(row replay.Row) (largest float64) {
		var sums [8]float64
		for d := 1; d <= 64; d++ {
			meanSquare := 0.0
			for j := range sums {
				sums[j] += float64(row.Query[d-1]) * float64(row.Keys[j][d-1])
				meanSquare += sums[j] * sums[j] / 8
			}
			if d >= 8 && replay.IsCurvePoint(d, 64) {
				largest = max(largest, math.Abs(meanSquare/float64(d)-1))
			}
		}
		return largest
	}
	index, _ := walks[0].Params.Number(names.ParamRow)
	shown, _ := reader.Row(int64(index))
	for i := range blockUnits(c) {
		if row, _ := reader.Row(i); distance(row) < distance(shown)-1e-5 {
			t.Fatalf("row %d is nearer to the variance d than row %v, which the curves show", i, index)
		}
	}
}
