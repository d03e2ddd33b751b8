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

// documentOf has the rows of cells, and the lines through what was drawn of them.
func documentOf(t *testing.T, seed, attempt uint64, cells ...experiment.Cell) *result.Document {
	doc := &result.Document{}
	for _, c := range cells {
		doc.Estimates = append(doc.Estimates, ranksEstimates(c, experimenttest.SampleCell(c, 1)).Estimates...)
	}
	experimenttest.Finish(t, finishRanks, experiment.SampledCells{Cells: cells, Seed: seed, Attempt: attempt}, doc)
	return doc
}

// ofQuantity returns the lines of a quantity.
func ofQuantity(doc *result.Document, quantity string) (found []result.Curve) {
	for _, c := range doc.Curves {
		if c.Quantity == quantity {
			found = append(found, c)
		}
	}
	return found
}

// Partial sums end, to the bit, at the scores that the experiment drew of that row of
// the longest vectors, whatever the seed and the attempt; there are points for the first
// 16 components, then at 16 equal steps from each power of two to the next.
func TestWalksEndAtTheScores(t *testing.T) {
	for i, at := range []struct {
		longest experiment.Cell
		points  int
	}{{cellOf(t, "normal", 100, 8, "1/2"), 16 + 2*16 + 9}, {cellOf(t, "normal", 20, 3, "1/2"),
		16 + 4}, {cellOf(t, "normal", 3000, 12, "1/2"), 16 + 7*16 + 8}} {
		c, attempt := at.longest, uint64(i%2)
		found := ofQuantity(documentOf(t, 7, attempt, cellOf(t, "normal", 5, rows.Keys(c), "1/2"), c),
			names.PartialScore)
		var d experiment.BlockStream
		d.Begin(stream.Open(stream.ID{Seed: 7, Cell: c.ID, Attempt: attempt}), 0)
		group := rows.NewRowGroup(c, rows.Keys(c), nil)
		row, _ := found[0].Params.Number(names.ParamRow)
		for range int(row)/kernel.Width + 1 {
			group.SampleRows(&d.Lanes)
		}
		lane := int(row) % kernel.Width
		if want := min(8, rows.Keys(c)); len(found) != want {
			t.Fatalf("%s has %d walks, want %d", c.ID, len(found), want)
		}
		for j, line := range found {
			last := len(line.X) - 1
			if line.X[last] != result.Number(c.Dimension()) || float64(line.Y[last]) != float64(group.Scores[j][lane]) {
				t.Errorf("%s: walk %d ends at %v with %v, the score is %v", c.ID, j+1, line.X[last], line.Y[last],
					group.Scores[j][lane])
			}
			even := true
			for i, x := range line.X[:last] {
				even = even && (i < 16 && float64(x) == float64(i+1) || i >= 16 &&
					float64(x) == math.Exp2(float64(i/16-1))*float64(16+i%16+1))
			}
			if line.Params[names.ParamKey] != float64(j+1) || line.Params[names.ParamRow] != row ||
				len(line.X) != at.points || !even {
				t.Errorf("%s: walk %d is %v with %d points", c.ID, j+1, line.Params, len(line.X))
			}
		}
	}
}

// The row that is shown is typical: no row of the first block is nearer to the medians of R at
// every number of components and under every exponent, each weighed here once more; and its
// weights are those of its first components.
func TestTypicalRow(t *testing.T) {
	line := []experiment.Cell{cellOf(t, "normal", 4, 8, "0 1/2 1"), cellOf(t, "normal", 64, 8, "0 1/2 1")}
	doc := documentOf(t, 11, 0, line...)
	found := ofQuantity(doc, names.KeyWeight)
	if len(found) != 6 {
		t.Fatalf("%d lines of weights, want one for each exponent and d_k", len(found))
	}
	reader, err := replay.Open(11, 0, line[1])
	if err != nil {
		t.Fatal(err)
	}
	// softmaxOf is the weights of a row's first components, and how far R is from the median.
	softmaxOf := func(row replay.Row, c experiment.Cell, s rows.Scaling) (weights []float64, off float64) {
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
		return weights, math.Abs((1-squares)/(1-1./8) - medianOf(c, s, doc))
	}
	farthest := func(row replay.Row) (most float64) {
		for _, c := range line {
			for _, s := range rows.Scalings(c) {
				_, off := softmaxOf(row, c, s)
				most = max(most, off)
			}
		}
		return most
	}
	number, _ := found[0].Params.Number(names.ParamRow)
	chosen, _ := reader.Row(int64(number))
	for i := range softmaxUnits(line[1]) {
		if row, _ := reader.Row(i); farthest(row) < farthest(chosen)-1e-5 {
			t.Fatalf("row %d is nearer to the medians than row %v", i, number)
		}
	}
	for i, c := range line {
		for j, s := range rows.Scalings(c) {
			want, _ := softmaxOf(chosen, c, s)
			for k, w := range want {
				if at := found[3*i+j]; at.X[k] != result.Number(k+1) || math.Abs(float64(at.Y[k])-w) > 1e-5 {
					t.Errorf("%v: key %v has %v, want %v", at.Params, at.X[k], at.Y[k], w)
				}
			}
		}
	}
}
