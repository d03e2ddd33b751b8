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

// Predicates of comparisons: greater, and false where one is not a number.
const greater = 0x1e

// peaks writes the function that finds the two greatest scores of each lane
// and where the greatest is.
func (m *machine) peaks() {
	m.begin("peaks", "finds the two greatest scores of each lane of a register.",
		"func(scores *float32, keys int, first *float32)", false)
	at, keys, out := m.argument("scores"), m.argument("keys"), m.argument("first")
	first, second := m.load("minusInf"), m.load("minusInf")
	index, now := m.register(), m.register()
	m.clear(index)
	m.clear(now)
	m.steps("key", keys, 4, func(times int) {
		for i := range times {
			s, lesser := m.register(), m.register()
			m.VMOVUPS(m.at(at, i, 0), s)
			if m.wide {
				k := m.K()
				m.VCMPPS(operand.U8(greater), first, s, k)
				m.VBLENDMPS(first, s, k, lesser) // a minimum, for which more units are free
				m.VPBLENDMD(now, index, k, index)
				m.VPADDD_BCST(m.where("bit0"), now, now)
			} else {
				mask := m.register()
				m.VCMPPS(operand.U8(greater), first, s, mask)
				m.VMINPS(s, first, lesser)
				m.VBLENDVPS(mask, now, index, index)
				m.VPADDD(m.where("bit0"), now, now)
			}
			m.VMAXPS(second, lesser, second)
			m.VMAXPS(first, s, first)
		}
		m.ADDQ(operand.U32(uint32(row*times)), at)
	})
	m.VMOVUPS(first, m.at(out, 0, 0))
	m.VMOVUPS(second, m.at(out, secondRow, 0))
	m.VMOVUPS(index, m.at(out, indexRow, 0))
	m.end()
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
	m.Comment("−0 becomes 0, so that no difference from it is −0")
	zero := m.register()
	m.clear(zero)
	m.VADDPS(m.at(m.argument("first"), secondRow, 0), zero, w.second)
	scale, err := m.Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	m.VBROADCASTSS(scale.Addr, w.scale)
	if m.wide {
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
	for range m.bytes() / 32 {
		for k := range uint32(8) {
			patterns = append(patterns, m.constants[fmt.Sprintf("root%d", k)]-(512+k)<<eighthBit-below)
		}
	}
	at := m.table.Offset(m.append(patterns...))
	if !m.wide {
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
	counts = w.counted(x)
	shifted := m.add(x, name("roundEighth"))
	r := m.sub(shifted, name("roundEighth"))
	for i := range r {
		m.VSUBPS(r[i], x[i], r[i])
	}
	root := m.value()
	for i := range root {
		m.VPERMD(w.roots, shifted[i], root[i])
	}
	root = m.addInt(root, w.turned(shifted))
	p := m.add(m.mul(r, m.term(r, "near1", "near2")), name("near0"))
	e = m.mul(m.mul(root, r), p)
	for i := range e {
		m.addWhere(counts[i], e[i], root[i], e[i])
	}
	return x, e, counts
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
// not at the cut. The difference of those is 0 or positive, so that x is −0 or
// negative, also at scale 0; as integers such x grow from −0 on to the cut and
// −Inf, and positive ones and 0 are above.
func (w *rowPowers) countOthers(x value) []reg.Register {
	m := w.m
	counts := make([]reg.Register, len(x))
	for i := range x {
		if m.wide {
			counts[i] = m.K()
			m.VPCMPGTD(x[i], m.constant("sumCut"), counts[i])
			continue
		}
		cut := m.load("sumCut")
		m.VPCMPGTD(x[i], cut, cut)
		counts[i] = cut
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
				m.VPADDD_BCST(m.where("minusBit0"), left, left)
				continue
			}
			peak := m.register()
			m.clear(peak)
			m.VPCMPEQD(peak, left, peak)
			m.VPANDN(mask, peak, mask)
			m.VPADDD(m.where("minusBit0"), left, left)
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
	m.steps("key", keys, m.together(2), func(times int) {
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

// together is the number of keys that are worked on at once. AVX2 takes one
// after the other, which wants fewer registers.
func (m *machine) together(keys int) int {
	if m.wide {
		return keys
	}
	return 1
}

// sumKeys is the number of keys whose terms are added in float32.
const sumKeys = 32

// rowSummer holds what the sums of a row need in every step.
type rowSummer struct {
	*rowPowers
	chains [2][rowSums]reg.VecVirtual
}

// softmax writes the function that adds the sums of rows to what is there.
func (m *machine) softmax() {
	m.begin("softmax", "adds the softmax sums of each lane of a register.",
		"func(scores *float32, keys int, first *float32, scale float32, sums *float64)", false)
	at, keys, sums := m.argument("scores"), m.argument("keys"), m.argument("sums")
	w := rowSummer{rowPowers: m.rowPowers()}
	w.counted = w.countOthers
	for c := range w.chains {
		for i := range w.chains[c] {
			w.chains[c][i] = m.register()
		}
	}

	now, most := m.GP64(), m.GP64()
	m.MOVQ(operand.U32(sumKeys), most)
	m.Label("block")
	m.MOVQ(keys, now)
	m.CMPQ(now, most)
	m.CMOVQGT(most, now)
	m.SUBQ(now, keys)
	for _, chain := range w.chains {
		for _, sum := range chain {
			m.clear(sum)
		}
	}
	m.halvingSteps("key", now, 4, func(times int) {
		together := m.together(times)
		for key := 0; key < times; key += together {
			w.keys(at, key, together)
		}
		m.advance(times, at)
	})
	for i := range rowSums {
		sum := w.chains[0][i]
		m.VADDPS(w.chains[1][i], sum, sum)
		m.widen(sum, sums, i)
	}
	m.TESTQ(keys, keys)
	m.JNZ(operand.LabelRef("block"))
	m.end()
}

// keys adds the terms of some keys, from the given one on, to the sums of their
// chains, even and odd keys in turn.
func (w rowSummer) keys(at reg.Register, from, count int) {
	m := w.m
	x, e, counts := w.of(at, from, count)
	m.single = true
	defer func() { m.single = false }()
	eLog := w.logs(x, e, counts)
	square := m.mul(e, e)
	for power, term := range []value{e, square, m.mul(square, e), eLog} {
		for i := range term {
			sum := w.chains[(from+i)%len(w.chains)][power]
			m.VADDPS(term[i], sum, sum)
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
	} else {
		m.VCVTPS2PD(x.AsX(), low)
		m.VEXTRACTF128(operand.U8(1), x, high.AsX())
		m.VCVTPS2PD(high.AsX(), high)
	}
	for i, half := range []reg.VecVirtual{low, high} {
		at := place.Offset(m.bytes() * i)
		m.VADDPD(at, half, half)
		m.VMOVUPD(half, at)
	}
}
