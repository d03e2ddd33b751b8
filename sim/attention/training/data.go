package training

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// Data is what seeds begin with: tokens and weights, standard normal numbers each, before
// anything is scaled. Seeds that are to be compared have the same of it.
type Data struct {
	Seeds  int
	counts [8]int
	panels [][][kernel.Width]float32 // of so many seeds, the numbers of each
}

// countNumbers returns how many numbers a seed has of each kind, in the order of load, and of all.
func countNumbers(s Setting) (counts [8]int, total int) {
	key := TokenSize * s.Dimension
	counts = [8]int{Sequences * Keys * TokenSize, key, key, key, key, TokenSize * ValueSize, ValueSize * ValueSize, s.Dimension}
	for _, n := range counts {
		total += n
	}
	return counts, total
}

// SampleData draws the data of so many seeds. What it draws depends on the d_k alone, so that all
// that is trained at one has the same beginning.
func SampleData(lanes *stream.Lanes, s Setting, seeds int) *Data {
	counts, total := countNumbers(s)
	d := &Data{Seeds: seeds, counts: counts}
	normal := kernel.Vectors(distribution.Normal)
	for first := 0; first < seeds; first += kernel.Width {
		numbers := make([][kernel.Width]float32, total)
		normal(lanes, numbers)
		d.panels = append(d.panels, numbers)
	}
	return d
}

// fill writes numbers of the seeds from first on into a matrix, times a factor. The last
// seed stands in for those beyond it.
func (d *Data) fill(m *Matrix, first, offset int, factor float64) {
	for l := range Width {
		seed := min(first+l, d.Seeds-1)
		numbers := d.panels[seed/kernel.Width][offset:]
		for i := range m.V {
			m.V[i][l] = float64(factor * float64(numbers[i][seed%kernel.Width]))
		}
	}
}

// load gives a network the tokens and weights of the seeds from first on.
func (n *Network) load(d *Data, first int) {
	gain := elementary.Pow(float64(n.Dimension), n.Rule.Gain) / math.Sqrt(TokenSize)
	offset := 0
	for i, target := range []struct {
		m      *Matrix // nil of what the setting does not have
		factor float64
	}{{n.keys, 1}, {n.query, gain}, {n.key, gain}, {n.firstQuery, gain}, {n.firstKey, gain},
		{n.value, 1 / math.Sqrt(TokenSize)}, {n.output, 1 / math.Sqrt(ValueSize)},
		{n.additive, 1 / math.Sqrt(float64(n.Dimension))}} {
		if target.m != nil {
			d.fill(target.m, first, offset, target.factor)
		}
		offset += d.counts[i]
	}
	if n.Rule.Variant == Copying {
		n.setPositionKeys()
	} else {
		n.scaleKeys()
	}
	n.setQueries()
}

// scaleKeys makes the j-th number of a key fall as 1/j, with their mean square 1.
func (n *Network) scaleKeys() {
	const keySize = TokenSize - ValueSize
	var squares float64
	for j := range keySize {
		squares += 1 / float64((j+1)*(j+1))
	}
	scale := math.Sqrt(keySize / squares)
	for i := range n.keys.Rows {
		for j := range keySize {
			x := &n.keys.Row(i)[j]
			for l := range x {
				x[l] = float64(x[l] * (scale / float64(j+1)))
			}
		}
	}
}

// setPositionKeys makes the key of token i of every sequence the i-th unit vector, as long as
// normal keys are.
func (n *Network) setPositionKeys() {
	for i := range n.keys.Rows {
		row := n.keys.Row(i)[:TokenSize-ValueSize]
		clear(row)
		for l := range Width {
			row[i%Keys][l] = math.Sqrt(TokenSize - ValueSize)
		}
	}
}

// QueriedToken returns which token a sequence asks for: each in turn.
func QueriedToken(sequence int) int { return sequence % Keys }

// setQueries writes, of the tokens, the values, the tokens that ask and what is wanted.
func (n *Network) setQueries() {
	for i := range n.keys.Rows {
		copy(n.values.Row(i), n.keys.Row(i)[TokenSize-ValueSize:])
	}
	for b := range Sequences {
		queried := b*Keys + QueriedToken(b)
		for j, x := range n.keys.Row(queried)[:TokenSize-ValueSize] {
			for l := range Width {
				n.queries.Row(b)[j][l] = float64(math.Sqrt2 * x[l])
			}
		}
		copy(n.targets.Row(b), n.values.Row(queried))
	}
	for b := range n.sequence.Rows { // of two layers: the tokens of a sequence, then the one that asks
		s, i := b/(Keys+1), b%(Keys+1)
		if i < Keys {
			copy(n.sequence.Row(b), n.keys.Row(s*Keys+i))
		} else {
			copy(n.sequence.Row(b), n.queries.Row(s))
		}
	}
}
