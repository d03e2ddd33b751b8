package training

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// Data has tokens and initial weights before scaling, standard normal numbers. Seeds that are to be
// compared use the same Data.
type Data struct {
	Seeds  int
	counts [8]int
	panels [][][kernel.Width]float32 // for each kernel.Width seeds, their numbers
}

// countNumbers returns how many numbers of each kind a seed has, in the order of load, and their
// total.
func countNumbers(s Setting) (counts [8]int, total int) {
	key := TokenSize * s.Dimension
	counts = [8]int{Sequences * Keys * TokenSize, key, key, key, key, TokenSize * ValueSize, ValueSize * ValueSize,
		s.Dimension}
	for _, n := range counts {
		total += n
	}
	return counts, total
}

// SampleData samples the data of the given number of seeds. They depend only on d_k, so that all
// settings with the same d_k begin with the same numbers.
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

// fill writes numbers of the seeds from first on to a matrix, times a factor. Lanes beyond the last
// seed repeat it.
func (d *Data) fill(m *Matrix, first, offset int, factor float64) {
	for l := range Width {
		seed := min(first+l, d.Seeds-1)
		numbers := d.panels[seed/kernel.Width][offset:]
		for i := range m.V {
			m.V[i][l] = float64(factor * float64(numbers[i][seed%kernel.Width]))
		}
	}
}

// load sets the tokens and initial weights of a network for the seeds from first on.
func (n *Network) load(d *Data, first int) {
	gain := elementary.Pow(float64(n.Dimension), n.Rule.Gain) / math.Sqrt(TokenSize)
	offset := 0
	for i, target := range []struct {
		m      *Matrix // nil if the setting does not have it
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

// scaleKeys scales the j-th number of a key by c/j, with c such that their mean square stays 1.
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

// setPositionKeys sets the key of token i of every sequence to the i-th unit vector, with the
// length of normal keys.
func (n *Network) setPositionKeys() {
	for i := range n.keys.Rows {
		row := n.keys.Row(i)[:TokenSize-ValueSize]
		clear(row)
		for l := range Width {
			row[i%Keys][l] = math.Sqrt(TokenSize - ValueSize)
		}
	}
}

// QueriedToken returns the index of the token whose key the question of a sequence has. Each is
// queried in turn.
func QueriedToken(sequence int) int { return sequence % Keys }

// setQueries sets the values, the questions and the targets from the tokens.
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
	for b := range n.sequence.Rows { // two layers: the tokens of a sequence, then the question
		s, i := b/(Keys+1), b%(Keys+1)
		if i < Keys {
			copy(n.sequence.Row(b), n.keys.Row(s*Keys+i))
		} else {
			copy(n.sequence.Row(b), n.queries.Row(s))
		}
	}
}
