package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Softmax takes a register of rows at a time, one row in each lane: all 16 of
// AVX-512, 8 of AVX2, which is called twice. A key's scores stand in a row of
// memory of 16 lanes in either case.

// Where the peaks of a row stand, in rows of memory from the first.
const (
	secondRow = 1
	indexRow  = 2
)

// Predicates of comparisons: greater and equal, and false where one is not a number.
const (
	greater = 0x1e
	equal   = 0
)

// rowPeaks holds the two greatest scores so far, where the greatest is, and the
// index of the key that comes.
type rowPeaks struct {
	m                         *machine
	first, second, index, now reg.VecVirtual
}

// peaks writes the function that finds the two greatest scores of each lane
// and where the greatest is.
func (m *machine) peaks() {
	m.begin("peaks", "finds the two greatest scores of each lane of a register.",
		"func(scores *float32, keys int, first *float32)", false)
	at, keys, out := m.argument("scores"), m.argument("keys"), m.argument("first")
	p := rowPeaks{m, m.load("minusInf"), m.load("minusInf"), m.register(), m.register()}
	m.clear(p.index)
	m.clear(p.now)
	m.steps("key", keys, 4, func(times int) {
		if times == 1 {
			p.one(at)
		}
		for from := 0; from+1 < times; from += 2 {
			p.two(at, from)
		}
		m.advance(times, at)
	})
	m.VMOVUPS(p.first, m.at(out, 0, 0))
	m.clear(p.now)
	m.VADDPS(p.now, p.second, p.second) // −0 becomes 0
	m.VMOVUPS(p.second, m.at(out, secondRow, 0))
	m.VMOVUPS(p.index, m.at(out, indexRow, 0))
	m.end()
}

// two takes two keys, which are compared first with each other: the chain of
// maxima that everything waits for is half as long then.
func (p rowPeaks) two(at reg.Register, from int) {
	m := p.m
	a, b, high, low, index := m.register(), m.register(), m.register(), m.register(), m.register()
	m.VMOVUPS(m.at(at, from, 0), a)
	m.VMOVUPS(m.at(at, from+1, 0), b)
	if !m.neon {
		m.VMAXPS(a, b, high) // a if they are equal
	}
	if m.wide {
		later := m.K()
		m.VCMPPS(operand.U8(greater), a, b, later)
		m.VBLENDMPS(a, b, later, low) // a minimum, for which more units are free
		m.VMOVDQA32(p.now, index)
		m.VPADDD_BCST(m.where("bit0"), p.now, later, index)
	} else {
		later := m.register()
		m.VCMPPS(operand.U8(greater), a, b, later)
		m.VMINPS(a, b, low)
		m.VPSUBD(later, p.now, index)
		if m.neon { // whose maximum of −0 and 0 is 0
			m.VBLENDVPS(later, b, a, high)
		}
	}
	lesser := p.take(high, index)
	m.VMAXPS(low, lesser, lesser)
	m.VMAXPS(p.second, lesser, p.second)
	p.advance("bit1")
}

// one takes a key.
func (p rowPeaks) one(at reg.Register) {
	m, s := p.m, p.m.register()
	m.VMOVUPS(m.at(at, 0, 0), s)
	m.VMAXPS(p.second, p.take(s, p.now), p.second)
	p.advance("bit0")
}

// take returns the lesser of a score and the greatest, which it then updates.
func (p rowPeaks) take(s, index reg.VecVirtual) (lesser reg.VecVirtual) {
	m := p.m
	lesser = m.register()
	if m.wide {
		above := m.K()
		m.VCMPPS(operand.U8(greater), p.first, s, above)
		m.VBLENDMPS(p.first, s, above, lesser)
		m.VPBLENDMD(index, p.index, above, p.index)
	} else {
		above := m.register()
		m.VCMPPS(operand.U8(greater), p.first, s, above)
		m.VMINPS(s, p.first, lesser)
		m.VBLENDVPS(above, index, p.index, p.index)
		if m.neon {
			m.VBLENDVPS(above, s, p.first, p.first)
			return lesser
		}
	}
	m.VMAXPS(p.first, s, p.first)
	return lesser
}

// advance goes on by so many keys.
func (p rowPeaks) advance(by name) {
	p.m.apply(form{p.m.VPADDD, p.m.VPADDD_BCST}, by, 0, p.now, p.now)
}

// The sums of a row: of e, e², e³ and e·log₂ e, in this order.
const rowSums = 4

// rowPowers makes e = 2^x of scores, x being their distance from the second
// greatest times the scale.
type rowPowers struct {
	m      *machine
	second reg.VecVirtual
	scale  reg.VecVirtual // of a score, times −log₂ e
	roots  operand.Op     // the powers of 2 in eighths
	// counted says which of some keys count, from their x.
	counted func(x value) []reg.Register
}

// rowPowers loads the arguments first and scale.
func (m *machine) rowPowers() *rowPowers {
	w := &rowPowers{m: m, second: m.register(), scale: m.register(), roots: m.roots()}
	m.VMOVUPS(m.at(m.argument("first"), secondRow, 0), w.second)
	m.VBROADCASTSS(m.inMemory("scale"), w.scale)
	if m.wide || m.neon {
		m.pin("roundEighth", "near0", "near1", "near2", "sumCut")
	}
	return w
}

// eighthBit is the bit of a float32 that stands for an eighth of a power of 2.
const eighthBit = 20

// roots is the table of portable Go, as often as a register holds it.
func (m *machine) roots() operand.Op {
	var patterns []uint32
	var below uint32 // what turned leaves below
	if m.wide {
		below = m.constants["roundEighth"] >> (32 - eighthBit)
	}
	for range max(m.bytes/32, 1) {
		for k := range uint32(8) {
			patterns = append(patterns, m.constants[fmt.Sprintf("root%d", k)]-(512+k)<<eighthBit-below)
		}
	}
	at := m.table.Offset(m.append(patterns...))
	switch {
	case m.neon:
		return m.loadRoots(at)
	case !m.wide:
		return at
	}
	r := m.register()
	m.VMOVUPS(at, r)
	return r
}

// of returns x and e of some keys, from the given one on, and which of them
// count: e is 0 for the others. Keys side by side hide the latency of each.
func (w *rowPowers) of(at reg.Register, from, count int) (x, e value, counts []reg.Register) {
	m := w.m
	m.chains, m.single = count, true
	defer func() { m.single = false }()
	x = m.value()
	for i := range x {
		m.VSUBPS(m.at(at, from+i, 0), w.second, x[i])
	}
	for i := range x {
		m.VMULPS(w.scale, x[i], x[i])
	}
	shifted := m.add(x, name("roundEighth"))
	r := m.sub(shifted, name("roundEighth"))
	for i := range r {
		m.VSUBPS(r[i], x[i], r[i])
	}
	root := m.value()
	for i := range root {
		if m.neon {
			m.lookUp(shifted[i], root[i])
		} else {
			m.VPERMD(w.roots, shifted[i], root[i])
		}
	}
	root = m.addInt(root, w.turned(shifted))
	p := m.add(m.mul(r, m.term(r, "near1", "near2")), name("near0"))
	e = m.mul(m.mul(root, r), p)
	counts = w.counted(x)
	for i := range e {
		m.addWhere(counts[i], e[i], root[i], e[i])
	}
	return x, e, counts
}

// rootRegisters hold the table for NEON, which wants them in a row.
var rootRegisters = []reg.VecPhysical{reg.X29, reg.X30}

func (m *machine) loadRoots(at operand.Mem) operand.Op {
	for i, r := range rootRegisters {
		m.VMOVUPS(at.Offset(m.bytes*i), r)
	}
	m.pin("bits0to2", "four", "inOrder")
	return nil
}

// lookUp takes root k, k being the low three bits: bytes 4k to 4k + 3 of the table.
func (m *machine) lookUp(k, root reg.VecVirtual) {
	at := m.register()
	m.VPAND(m.constant("bits0to2"), k, at)
	m.VPMULLD(m.constant("four"), at, at)
	m.VPADDD(m.constant("inOrder"), at, at)
	m.making("TBL2", root, at, rootRegisters[0], rootRegisters[1])
}

// turned is the number of eighths at its place in the exponent. The other bits of
// shifted, which a rotation leaves below, are the same for all, and the table
// lacks them. For Zen 4 additions and shifts are the bottleneck, rotations not.
func (w *rowPowers) turned(shifted value) value {
	m := w.m
	if m.wide {
		return m.shift(m.VPROLD, shifted, eighthBit)
	}
	return m.shiftLeft(shifted, eighthBit)
}

// addWhere is a + b where the mask says so, else 0.
func (m *machine) addWhere(mask reg.Register, a, b, sum reg.VecVirtual) {
	if m.wide {
		m.VADDPS_Z(a, b, mask, sum)
		return
	}
	m.VADDPS(a, b, sum)
	m.VPAND(mask, sum, sum)
}

// countOthers lets all keys count that are not above the second greatest and
// not at the cut. The second greatest is never −0, so that no difference from it
// is, and x of these keys is −0 or negative, also at scale 0. As integers such x
// grow from −0 on to the cut and −Inf, and 0 and positive ones are above.
func (w *rowPowers) countOthers(x value) []reg.Register {
	m := w.m
	counts := make([]reg.Register, len(x))
	for i := range x {
		if m.wide {
			counts[i] = m.K()
			m.VPCMPGTD(x[i], m.constant("sumCut"), counts[i])
			continue
		}
		cut := m.constant("sumCut")
		count := cut
		if m.neon {
			count = m.register()
		}
		m.VPCMPGTD(x[i], cut, count)
		counts[i] = count
	}
	return counts
}

// countBut is countOthers but for one key of each lane, which left reaches
// after so many keys.
func (w *rowPowers) countBut(left reg.VecVirtual) func(x value) []reg.Register {
	m := w.m
	return func(x value) []reg.Register {
		counts := w.countOthers(x)
		for _, mask := range counts {
			if m.wide {
				m.VPTESTMD(left, left, mask, mask)
			} else {
				peak := m.register()
				m.clear(peak)
				m.VPCMPEQD(peak, left, peak)
				m.VPANDN(mask, peak, mask)
			}
			m.apply(form{m.VPADDD, m.VPADDD_BCST}, name("minusBit0"), 0, left, left)
		}
		return counts
	}
}

// weights writes the function that stores e and e².
func (m *machine) weights() {
	m.begin("weights", "writes the softmax weights of each lane of a register, and their squares.",
		"func(scores *float32, keys int, first *float32, scale float32, e, e2 *float32)", false)
	at, keys, out, squares := m.argument("scores"), m.argument("keys"), m.argument("e"), m.argument("e2")
	w, left := m.rowPowers(), m.register()
	m.VMOVUPS(m.at(m.argument("first"), indexRow, 0), left)
	w.counted = w.countBut(left)
	m.steps("key", keys, 2, func(times int) {
		_, e, _ := w.of(at, 0, times)
		for i := range e {
			m.VMOVUPS(e[i], m.at(out, i, 0))
			m.VMULPS(e[i], e[i], e[i])
			m.VMOVUPS(e[i], m.at(squares, i, 0))
		}
		m.advance(times, at, out, squares)
	})
	m.end()
}

// together is the number of keys that are worked on at once, for which AVX2 has
// fewer registers.
func (m *machine) together() int {
	if m.wide {
		return 4
	}
	return 2
}

// sumKeys is the number of keys whose terms are added in float32.
const sumKeys = 32

// rowSummer holds what the sums of a row need in every step.
type rowSummer struct {
	*rowPowers
	sums value
}

// softmax writes the function that adds the sums of rows to what is there.
func (m *machine) softmax() {
	m.begin("softmax", "adds the softmax sums of each lane of a register.",
		"func(scores *float32, keys int, first *float32, scale float32, sums *float64)", false)
	at, keys, sums := m.argument("scores"), m.argument("keys"), m.argument("sums")
	w := rowSummer{rowPowers: m.rowPowers()}
	w.counted = w.countOthers
	w.sums = m.registers(rowSums)

	m.portions("block", keys, sumKeys, func(now reg.Register) {
		for _, sum := range w.sums {
			m.clear(sum)
		}
		m.steps("key", now, 4, func(times int) {
			together := min(times, m.together())
			for key := 0; key < times; key += together {
				w.keys(at, key, together)
			}
			m.advance(times, at)
		})
		for i, sum := range w.sums {
			m.widen(sum, sums, i)
		}
	})
	m.end()
}

// keys adds the terms of some keys, from the given one on, to the sums: first
// those of neighbours to each other.
func (w rowSummer) keys(at reg.Register, from, count int) {
	m := w.m
	x, e, counts := w.of(at, from, count)
	m.single = true
	defer func() { m.single = false }()
	eLog := w.logs(x, e, counts)
	square := m.mul(e, e)
	for power, term := range []value{e, square, m.mul(square, e), eLog} {
		for i := 0; i+1 < len(term); i += 2 {
			m.VADDPS(term[i+1], term[i], term[i])
		}
		for i := 0; i < len(term); i += 2 {
			m.VADDPS(term[i], w.sums[power], w.sums[power])
		}
	}
}

// logs returns e·x, 0 where a score does not count. It uses up x.
func (w rowSummer) logs(x, e value, counts []reg.Register) value {
	m := w.m
	eLog := m.value()
	for i := range eLog {
		if m.wide {
			m.VMULPS_Z(x[i], e[i], counts[i], eLog[i])
			continue
		}
		m.VPAND(counts[i], x[i], x[i])
		m.VMULPS(x[i], e[i], eLog[i])
	}
	return eLog
}

// widen adds the lanes of a register to sums in float64, of which each has a
// row of 16.
func (m *machine) widen(x reg.VecVirtual, sums reg.Register, sum int) {
	place := operand.Mem{Base: sums, Disp: 2 * row * sum}
	low, high := m.register(), m.register()
	if m.wide {
		m.VCVTPS2PD(x.AsY(), low)
		m.VEXTRACTF64X4(operand.U8(1), x, high.AsY())
		m.VCVTPS2PD(high.AsY(), high)
	} else if m.neon {
		m.VCVTPS2PD(x, low)
		m.VMOVHLPS(x, x, high)
		m.VCVTPS2PD(high, high)
	} else {
		m.VCVTPS2PD(x.AsX(), low)
		m.VEXTRACTF128(operand.U8(1), x, high.AsX())
		m.VCVTPS2PD(high.AsX(), high)
	}
	for i, half := range []reg.VecVirtual{low, high} {
		at := place.Offset(m.bytes * i)
		m.VADDPD(at, half, half)
		m.VMOVUPD(half, at)
	}
}
