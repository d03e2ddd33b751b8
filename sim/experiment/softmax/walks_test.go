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

// newDocument returns a document with the estimates of the cells and the curves of their typical
// rows.
func newDocument(t *testing.T, seed, attempt uint64, cells ...experiment.Cell) *result.Document {
	doc := &result.Document{}
	for _, c := range cells {
		doc.Estimates = append(doc.Estimates, ranksEstimates(c, experimenttest.SampleCell(c, 1)).Estimates...)
	}
	experimenttest.Finish(t, finishRanks, experiment.SampledCells{Cells: cells, Seed: seed, Attempt: attempt}, doc)
	return doc
}

// selectCurves returns the curves of a quantity.
func selectCurves(doc *result.Document, quantity string) (curves []result.Curve) {
	for _, c := range doc.Curves {
		if c.Quantity == quantity {
			curves = append(curves, c)
		}
	}
	return curves
}

// TestWalksEndAtTheScores checks that the partial scores end, bit for bit, at the scores that the
// experiment sampled for that row of the longest vectors, for any seed and attempt. The curves
// have a point for each of the first 16 components, and then 16 equal steps between successive
// powers of two.
func TestWalksEndAtTheScores(t *testing.T) {
	for i, test := range []struct {
		longest experiment.Cell
		points  int
	}{{newRanksCell(t, "normal", 100, 8, "1/2"), 16 + 2*16 + 9}, {newRanksCell(t, "normal", 20, 3, "1/2"),
		16 + 4}, {newRanksCell(t, "normal", 3000, 12, "1/2"), 16 + 7*16 + 8}} {
		c, attempt := test.longest, uint64(i%2)
		walks := selectCurves(newDocument(t, 7, attempt, newRanksCell(t, "normal", 5, rows.Keys(c), "1/2"), c),
			names.PartialScore)
		var d experiment.BlockStream
		d.Begin(stream.Open(stream.ID{Seed: 7, Cell: c.ID, Attempt: attempt}), 0)
		group := rows.NewRowGroup(c, rows.Keys(c), nil)
		row, _ := walks[0].Params.Number(names.ParamRow)
		for range int(row)/kernel.Width + 1 {
			group.SampleRows(&d.Lanes)
		}
		lane := int(row) % kernel.Width
		if want := min(8, rows.Keys(c)); len(walks) != want {
			t.Fatalf("%s has %d walks, want %d", c.ID, len(walks), want)
		}
		for j, line := range walks {
			last := len(line.X) - 1
			if line.X[last] != result.Number(c.Dimension()) || float64(line.Y[last]) != float64(group.Scores[j][lane]) {
				t.Errorf("%s: walk %d ends at %v with %v, the score is %v", c.ID, j+1, line.X[last], line.Y[last],
					group.Scores[j][lane])
			}
			for i, x := range line.X[:last] {
				want := float64(i + 1)
				if i >= 16 {
					want = math.Exp2(float64(i/16-1)) * float64(16+i%16+1)
				}
				if float64(x) != want {
					t.Errorf("%s: point %d of walk %d is at %v components, want %v", c.ID, i, j+1, x, want)
				}
			}
			if line.Params[names.ParamKey] != float64(j+1) || line.Params[names.ParamRow] != row ||
				len(line.X) != test.points {
				t.Errorf("%s: walk %d is %v with %d points", c.ID, j+1, line.Params, len(line.X))
			}
		}
	}
}

// TestTypicalRow checks with independent code that no row of the first block is nearer to the
// medians of R over all d_k and exponents than the row that is shown, and that its weights are the
// softmax of its first components.
func TestTypicalRow(t *testing.T) {
	line := []experiment.Cell{newRanksCell(t, "normal", 4, 8, "0 1/2 1"), newRanksCell(t, "normal", 64, 8, "0 1/2 1")}
	doc := newDocument(t, 11, 0, line...)
	curves := selectCurves(doc, names.KeyWeight)
	if len(curves) != 6 {
		t.Fatalf("%d lines of weights, want one for each exponent and d_k", len(curves))
	}
	reader, err := replay.Open(11, 0, line[1])
	if err != nil {
		t.Fatal(err)
	}
	// computeWeights returns the weights of a row's first components and the distance of R from the
	// median.
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
				if curve := curves[3*i+j]; curve.X[k] != result.Number(k+1) || math.Abs(float64(curve.Y[k])-w) > 1e-5 {
					t.Errorf("%v: key %v has %v, want %v", curve.Params, curve.X[k], curve.Y[k], w)
				}
			}
		}
	}
}
