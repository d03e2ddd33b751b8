package moments

import (
	"encoding/binary"
	"math"
	"slices"
)

// AppendNode appends the binary form of the node. It begins with the lengths of Moments, Counts and
// Histograms. The fields of Moments and the Counts follow, in little-endian order. A histogram is
// its windows, first bin, number of bins and counts, with integers as varints. Zeros are run-length
// encoded: a count of 0 is followed by the number of further zeros.
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
		b = binary.AppendUvarint(b, uint64(len(h.Windows)))
		for _, w := range h.Windows {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(w.Lo))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(w.Step))
			b = binary.AppendUvarint(b, uint64(w.Bins))
		}
		b = binary.AppendUvarint(b, uint64(h.FirstBin))
		b = binary.AppendUvarint(b, uint64(len(h.Counts)))
		for i := 0; i < len(h.Counts); i++ {
			b = binary.AppendUvarint(b, uint64(h.Counts[i]))
			if h.Counts[i] == 0 {
				run := countLeadingZeros(h.Counts[i+1:])
				b = binary.AppendUvarint(b, uint64(run))
				i += run
			}
		}
	}
	return b
}

func countLeadingZeros(counts []int64) int {
	if i := slices.IndexFunc(counts, func(c int64) bool { return c != 0 }); i >= 0 {
		return i
	}
	return len(counts)
}

// Reader reads nodes that AppendNode wrote, and numbers, from the beginning of B, which it removes.
// If B does not have them, the reader sets Bad. Values that are returned while Bad is set mean
// nothing.
type Reader struct {
	B   []byte
	Bad bool
	// CountsBuffer, if not nil, is overwritten with the counts of every histogram, which saves
	// memory. It is for callers that do not use the counts.
	CountsBuffer []int64
	// HistogramSums, if not nil, receives the sums of the histograms of all nodes that are read.
	// The nodes then have no histograms.
	HistogramSums *[]Histogram

	windows []Window // buffer for the windows of the current histogram
}

// Take returns the next n bytes. If there are fewer, it sets Bad and returns up to 8 zeros, which
// are enough for a number.
func (r *Reader) Take(n int) []byte {
	if r.Bad || n < 0 || n > len(r.B) {
		r.Bad = true
		return make([]byte, min(max(n, 0), 8))
	}
	bytes := r.B[:n]
	r.B = r.B[n:]
	return bytes
}

// Uint32 reads a little-endian number.
func (r *Reader) Uint32() uint32 { return binary.LittleEndian.Uint32(r.Take(4)) }

// Uint64 reads a little-endian number.
func (r *Reader) Uint64() uint64 { return binary.LittleEndian.Uint64(r.Take(8)) }

// uvarint reads a varint. It accepts only the shortest form, so that a node has only one binary
// form.
func (r *Reader) uvarint() uint64 {
	x, size := binary.Uvarint(r.B)
	isTruncated := size == 0
	isShortest := size <= 1 || r.B[size-1] != 0
	if isTruncated || !isShortest {
		size = -1 // for which Take sets Bad
	}
	r.Take(size)
	return x
}

// Node reads a node.
func (r *Reader) Node() Node {
	columns, countCount, histogramCount := int(r.Uint32()), int(r.Uint32()), int(r.Uint32())
	if columns > len(r.B)/24 || countCount > len(r.B)/8 || histogramCount > len(r.B)/3 {
		r.Bad = true
	}
	if r.Bad {
		return Node{}
	}
	n := Node{Moments: make([]Moments, columns), Counts: make([]int64, countCount)}
	for i := range n.Moments {
		n.Moments[i] = r.readMoments()
	}
	for i := range n.Counts {
		n.Counts[i] = int64(r.Uint64())
	}
	histograms := &n.Histograms
	if r.HistogramSums != nil {
		histograms = r.HistogramSums
	}
	for i := range histogramCount {
		if i == len(*histograms) {
			*histograms = append(*histograms, Histogram{})
		}
		r.addHistogram(&(*histograms)[i])
	}
	return n
}

func (r *Reader) readMoments() Moments {
	n, order := int64(r.Uint64()), r.Uint64()
	m := Moments{N: n, Mean: math.Float64frombits(r.Uint64())}
	if n < 0 || order < 2 || order > MaxOrder {
		r.Bad = true
	}
	if r.Bad {
		return m
	}
	m.Order = int(order)
	for p := 2; p <= m.Order; p++ {
		m.Sum[p] = math.Float64frombits(r.Uint64())
	}
	r.Bad = r.Bad || !m.isPossible()
	return m
}

// isPossible reports whether the mean and the sums are finite, and the sums of even powers are not
// negative by more than rounding.
func (m *Moments) isPossible() bool {
	zero := m.Mean * 0 // NaN if a number is not finite
	for _, s := range m.Sum {
		zero += float64(s * 0)
	}
	const rounding = 1e-6
	square := float64(m.Mean * m.Mean)
	margin := float64(rounding * float64(float64(float64(m.N)+1)*square))
	return zero == 0 && m.Sum[2] >= -margin && m.Sum[4] >= -float64(margin*square)
}

// Bounds of a histogram that is read.
const (
	maxBins    = 1 << 20 // largest number and index of bins
	maxWindows = 1 << 10 // largest number of windows
)

// addHistogram reads a histogram and adds it to target, which must have the same windows or be
// empty.
func (r *Reader) addHistogram(target *Histogram) {
	windows := r.uvarint()
	if windows > maxWindows {
		r.Bad = true
	}
	if r.Bad {
		return
	}
	r.windows = r.windows[:0]
	for range windows {
		w := Window{Lo: math.Float64frombits(r.Uint64()), Step: math.Float64frombits(r.Uint64())}
		bins := r.uvarint()
		w.Bins = int(min(bins, maxBins))
		r.windows = append(r.windows, w)
		isStepValid := w.Step > 0 && !math.IsInf(w.Step, 0)
		isLoValid := !math.IsNaN(w.Lo) && !math.IsInf(w.Lo, 0)
		if bins < 1 || bins > maxBins || !isStepValid || !isLoValid {
			r.Bad = true
		}
	}
	if len(target.Counts) == 0 {
		target.Windows = slices.Clone(r.windows)
	}
	first, bins := r.uvarint(), r.uvarint()
	if first > maxBins || bins > maxBins || !slices.Equal(r.windows, target.Windows) {
		r.Bad = true
	}
	if r.Bad {
		return
	}
	if bins == 0 {
		if len(target.Counts) == 0 {
			target.FirstBin = int(first)
		}
		return
	}
	if r.CountsBuffer != nil {
		r.CountsBuffer = slices.Grow(r.CountsBuffer[:0], int(bins))
		*target = Histogram{target.Windows, int(first), r.CountsBuffer[:bins]}
	} else {
		target.extend(int(first), int(bins))
	}
	r.addCounts(target.Counts[int(first)-target.FirstBin:][:bins])
}

// addCounts reads the counts of a histogram's bins and adds them to counts.
func (r *Reader) addCounts(counts []int64) {
	afterZero := false // whether a run of zeros ends before bin i; another run here is invalid
	for i := 0; i < len(counts) && !r.Bad; i++ {
		b := r.B
		for i < len(counts) && len(b) > 1 { // fast path: nearly all counts take one or two bytes
			if b[0]-1 < 0x7f { // a count of one byte, 1 to 127
				counts[i] += int64(b[0])
				b, afterZero = b[1:], false
			} else if b[0] > 0x7f && b[1]-1 < 0x7f { // a count of two bytes
				counts[i] += int64(b[0]&0x7f) | int64(b[1])<<7
				b, afterZero = b[2:], false
			} else if b[0] == 0 && b[1] < 0x80 && int(b[1]) < len(counts)-i && !afterZero { // a run of zeros
				i, b, afterZero = i+int(b[1]), b[2:], true
			} else {
				break
			}
			i++
		}
		r.B = b
		if i == len(counts) {
			break
		}
		c := int64(r.uvarint())
		counts[i] += c
		r.Bad = r.Bad || c < 0 || c == 0 && afterZero
		afterZero = c == 0
		if afterZero {
			run := r.uvarint()
			r.Bad = r.Bad || run > uint64(len(counts)-i-1)
			i += int(min(run, maxBins))
		}
	}
}
