package moments

import (
	"encoding/binary"
	"errors"
	"math"
)

// AppendNode appends the node's binary form: the numbers of its moments, counts
// and histograms, each moment's N, order, mean and sums, each count,
// little-endian; then each histogram's first bin, number of bins and counts,
// in varints.
func AppendNode(b []byte, n Node) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(n.Moments)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(n.Counts)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(n.Histograms)))
	for _, m := range n.Moments {
		b = binary.LittleEndian.AppendUint64(b, uint64(m.N))
		b = binary.LittleEndian.AppendUint64(b, uint64(m.Order))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.Mean))
		for p := 2; p <= m.Order; p++ {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.Sum[p]))
		}
	}
	for _, c := range n.Counts {
		b = binary.LittleEndian.AppendUint64(b, uint64(c))
	}
	for _, h := range n.Histograms {
		b = binary.AppendUvarint(b, uint64(h.From))
		b = binary.AppendUvarint(b, uint64(len(h.Counts)))
		for _, c := range h.Counts {
			b = binary.AppendUvarint(b, uint64(c))
		}
	}
	return b
}

var errNode = errors.New("a node is cut short or malformed")

// ReadNode reads a node off the front of b and returns what follows it.
func ReadNode(b []byte) (Node, []byte, error) {
	if len(b) < 12 {
		return Node{}, nil, errNode
	}
	columns, counts := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	histograms := int(binary.LittleEndian.Uint32(b[8:]))
	b = b[12:]
	if columns > len(b)/24 || counts > len(b)/8 || histograms > len(b)/2 {
		return Node{}, nil, errNode
	}
	n := Node{Moments: make([]Moments, columns), Counts: make([]int64, counts)}
	var ok bool
	for i := range n.Moments {
		if n.Moments[i], b, ok = readMoments(b); !ok {
			return Node{}, nil, errNode
		}
	}
	if len(b) < 8*counts {
		return Node{}, nil, errNode
	}
	for i := range n.Counts {
		n.Counts[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	b = b[8*counts:]
	for range histograms {
		var h Histogram
		if h, b, ok = readHistogram(b); !ok {
			return Node{}, nil, errNode
		}
		n.Histograms = append(n.Histograms, h)
	}
	return n, b, nil
}

// maxBins bounds the bins of a histogram that is read, and their numbers.
const maxBins = 1 << 20

// readHistogram reads what AppendNode writes of one; ok is false where it cannot be
// of AppendNode.
func readHistogram(b []byte) (h Histogram, rest []byte, ok bool) {
	next := func() uint64 {
		x, size := binary.Uvarint(b)
		if size <= 0 || size > 1 && b[size-1] == 0 { // cut short, or longer than it need be
			ok = false
			return 0
		}
		b = b[size:]
		return x
	}
	ok = true
	from, bins := next(), next()
	if !ok || from > maxBins || bins > maxBins || bins > uint64(len(b)) {
		return h, nil, false
	}
	h = Histogram{int(from), make([]int64, bins)}
	for i := range h.Counts {
		h.Counts[i] = int64(next())
		ok = ok && h.Counts[i] >= 0
	}
	return h, b, ok
}

// readMoments likewise reads those of one column.
func readMoments(b []byte) (m Moments, rest []byte, ok bool) {
	if len(b) < 24 {
		return m, nil, false
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	m.N, m.Mean = int64(word(0)), math.Float64frombits(word(2))
	order := word(1)
	if order < 2 || order > MaxOrder || m.N < 0 || len(b) < int(8*(order+2)) {
		return m, nil, false
	}
	m.Order = int(order)
	for p := 2; p <= m.Order; p++ {
		m.Sum[p] = math.Float64frombits(word(p + 1))
	}
	return m, b[8*(order+2):], true
}
