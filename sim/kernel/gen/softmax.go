package main

import (
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
			m.VMINPS(s, first, lesser)
			m.VMAXPS(second, lesser, second)
			if m.wide {
				k := m.K()
				m.VCMPPS(operand.U8(greater), first, s, k)
				m.VPBLENDMD(now, index, k, index)
				m.VPADDD_BCST(m.where("bit0"), now, now)
			} else {
				mask := m.register()
				m.VCMPPS(operand.U8(greater), first, s, mask)
				m.VBLENDVPS(mask, now, index, index)
				m.VPADDD(m.where("bit0"), now, now)
			}
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
	m     *machine
	first reg.Register   // where the peaks stand
	scale reg.VecVirtual // of a score, times log₂ e
	left  reg.VecVirtual // how far the greatest score is
}

// rowPowers loads the arguments first and scale.
func (m *machine) rowPowers() rowPowers {
	w := rowPowers{m: m, first: m.argument("first"), scale: m.register(), left: m.register()}
	scale, err := m.Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	m.VBROADCASTSS(scale.Addr, w.scale)
	m.VMOVUPS(m.at(w.first, indexRow, 0), w.left)
	if m.wide {
		m.pin("roundInt", "two0", "two1", "two2", "two3", "two4", "two5", "one", "sumCut")
	}
	return w
}

// together is the number of keys that are worked on at once. AVX2 takes one
// after the other, which wants fewer registers.
func (w rowPowers) together(keys int) int {
	if w.m.wide {
		return keys
	}
	return 1
}

// of returns x and e of some keys, from the given one on, and where they count:
// e is 0 for the greatest score and for those that count as nothing. Keys side
// by side hide the latency of each.
func (w rowPowers) of(at reg.Register, from, count int) (x, e value, counts []reg.Register) {
	m := w.m
	m.chains, m.single = count, true
	defer func() { m.single = false }()
	x = m.value()
	for i := range x {
		m.VMOVUPS(m.at(at, from+i, 0), x[i])
		m.VSUBPS(m.at(w.first, secondRow, 0), x[i], x[i])
		m.VMULPS(w.scale, x[i], x[i])
	}
	shifted := m.add(x, name("roundInt"))
	r := m.sub(shifted, name("roundInt"))
	for i := range r {
		m.VSUBPS(r[i], x[i], r[i])
	}
	y := m.add(m.mul(r, m.twoPolynomial(r)), name("one"))
	e, counts = w.counted(m.shiftLeft(shifted, 23), x, y)
	return x, e, counts
}

// counted returns y·2^n where a score counts, else 0, and where it does.
func (w rowPowers) counted(n, x, y value) (e value, counts []reg.Register) {
	m := w.m
	e, counts = m.value(), make([]reg.Register, len(x))
	for i := range e {
		if m.wide {
			other, both := m.K(), m.K()
			m.VPTESTMD(w.left, w.left, other)
			m.VPADDD_BCST(m.where("minusBit0"), w.left, w.left)
			m.VCMPPS(operand.U8(greater), m.constant("sumCut"), x[i], other, both)
			m.VPADDD_Z(n[i], y[i], both, e[i])
			counts[i] = both
			continue
		}
		peak, both := m.register(), m.register()
		m.clear(peak)
		m.VPCMPEQD(peak, w.left, peak)
		m.VPADDD(m.where("minusBit0"), w.left, w.left)
		m.VCMPPS(operand.U8(greater), m.where("sumCut"), x[i], both)
		m.VPANDN(both, peak, both)
		m.VPADDD(n[i], y[i], e[i])
		m.VPAND(both, e[i], e[i])
		counts[i] = both
	}
	return e, counts
}

// weights writes the function that stores e and e².
func (m *machine) weights() {
	m.begin("weights", "writes the softmax weights of each lane of a register, and their squares.",
		"func(scores *float32, keys int, first *float32, scale float32, e, e2 *float32)", false)
	at, keys, out, squares := m.argument("scores"), m.argument("keys"), m.argument("e"), m.argument("e2")
	w := m.rowPowers()
	m.steps("key", keys, 2, func(times int) {
		together := w.together(times)
		for from := 0; from < times; from += together {
			_, e, _ := w.of(at, from, together)
			for i := range e {
				m.VMOVUPS(e[i], m.at(out, from+i, 0))
				m.VMULPS(e[i], e[i], e[i])
				m.VMOVUPS(e[i], m.at(squares, from+i, 0))
			}
		}
		m.advance(times, at, out, squares)
	})
	m.end()
}

// sumKeys is the number of keys whose terms are added in float32.
const sumKeys = 16

// rowSummer holds what the sums of a row need in every step.
type rowSummer struct {
	rowPowers
	chains [2][rowSums]reg.VecVirtual
}

// softmax writes the function that adds the sums of rows to what is there.
func (m *machine) softmax() {
	m.begin("softmax", "adds the softmax sums of each lane of a register.",
		"func(scores *float32, keys int, first *float32, scale float32, sums *float64)", false)
	at, keys, sums := m.argument("scores"), m.argument("keys"), m.argument("sums")
	w := rowSummer{rowPowers: m.rowPowers()}
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
	m.steps("key", now, len(w.chains), func(times int) {
		together := w.together(times)
		for c := 0; c < times; c += together {
			w.keys(at, c, together)
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
// chains.
func (w rowSummer) keys(at reg.Register, from, count int) {
	m := w.m
	x, e, counts := w.of(at, from, count)
	m.single = true
	defer func() { m.single = false }()
	eLog := w.logs(x, e, counts)
	square := m.mul(e, e)
	for power, term := range []value{e, square, m.mul(square, e), eLog} {
		for i := range term {
			sum := w.chains[from+i][power]
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
