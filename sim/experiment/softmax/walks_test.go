package softmax

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/stream"
)

// documentOf has the rows of cells, and the lines through what was drawn of them.
func documentOf(seed, attempt uint64, cells ...experiment.Cell) *result.Document {
	doc := &result.Document{}
	for _, c := range cells {
		doc.Estimates = append(doc.Estimates, ranksFindings(c, experimenttest.Drawn(c, 1)).Rows...)
	}
	rankLines(cells, seed, attempt, doc)
	return doc
}

// ofQuantity are the lines of a quantity.
func ofQuantity(doc *result.Document, quantity string) (found []result.Curve) {
	for _, c := range doc.Curves {
		if c.Quantity == quantity {
			found = append(found, c)
		}
	}
	return found
}

// Partial sums end, to the bit, at the scores that the experiment drew of the first row of
// the longest vectors, whatever the seed and the attempt; there are points for the first
// 16 components, then at 16 equal steps from each power of two to the next.
func TestWalksEndAtTheScores(t *testing.T) {
	for i, at := range []struct {
		longest experiment.Cell
		points  int
	}{{cellOf(t, "normal", 100, 8, "1/2"), 16 + 2*16 + 9}, {cellOf(t, "normal", 20, 3, "1/2"), 16 + 4}, {cellOf(t, "normal", 3000, 12, "1/2"), 16 + 7*16 + 8}} {
		c, attempt := at.longest, uint64(i%2)
		found := ofQuantity(documentOf(7, attempt, cellOf(t, "normal", 5, rows.Keys(c), "1/2"), c), names.PartialScore)
		var d experiment.Draw
		d.Begin(stream.Open(stream.Key{Seed: 7, Cell: c.ID, Attempt: attempt}), 0)
		group := rows.NewGroup(c, rows.Keys(c), nil)
		group.DrawRows(&d.Lanes)
		if want := min(8, rows.Keys(c)); len(found) != want {
			t.Fatalf("%s has %d walks, want %d", c.ID, len(found), want)
		}
		for j, line := range found {
			last := len(line.X) - 1
			if line.X[last] != result.Number(c.Dimension()) || float64(line.Y[last]) != float64(group.Scores[j][0]) {
				t.Errorf("%s: walk %d ends at %v with %v, the score is %v", c.ID, j+1, line.X[last], line.Y[last], group.Scores[j][0])
			}
			even := true
			for i, x := range line.X[:last] {
				even = even && (i < 16 && float64(x) == float64(i+1) || i >= 16 && float64(x) == math.Exp2(float64(i/16-1))*float64(16+i%16+1))
			}
			if line.Params["key"] != float64(j+1) || line.Params[names.ParamRow] != 0.0 || len(line.X) != at.points || !even {
				t.Errorf("%s: walk %d is %v with %d points", c.ID, j+1, line.Params, len(line.X))
			}
		}
	}
}

// The line of a cell and an exponent is the row whose R is nearest to the median of all
// rows', of those of the first block, drawn and weighed here once more.
func TestMiddleRows(t *testing.T) {
	c := cellOf(t, "normal", 64, 8, "0 1/2 1")
	doc := documentOf(11, 0, c) // the seed of what is drawn alone
	found := ofQuantity(doc, names.RankedWeight)
	if len(found) != 3 {
		t.Fatalf("%d rows in the middle, want one for each exponent", len(found))
	}
	scores := drawnAlone(c, 1)
	for i, s := range rows.Scalings(c) {
		median := medianOf(c, s, doc)
		off := func(weights []float64) float64 {
			squares := 0.0
			for _, w := range weights {
				squares += w * w
			}
			return math.Abs((1-squares)/(1-1./8) - median)
		}
		row, _ := found[i].Params.Number(names.ParamRow)
		own := sorted(scores[int(row)], s.Factor)
		for _, other := range scores {
			if off(sorted(other, s.Factor)) < off(own)-1e-12 {
				t.Fatalf("p = %v: another row than %v is nearer to the median", s.Value, row)
			}
		}
		for k, w := range own {
			if found[i].X[k] != result.Number(k+1) || math.Abs(float64(found[i].Y[k])-w) > 1e-14 {
				t.Errorf("p = %v: rank %v has %v, want %v", s.Value, found[i].X[k], found[i].Y[k], w)
			}
		}
	}
}
