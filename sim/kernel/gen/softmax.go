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

// rowSummer holds what the sums of a row need in every step.
type rowSummer struct {
	m      *machine
	first  reg.Register   // where the peaks stand
	scale  reg.VecVirtual // of a score, times log₂ e
	left   reg.VecVirtual // how far the greatest score is
	chains [2][rowSums]reg.VecVirtual
}

// sumKeys is the number of keys whose terms are added in float32.
const sumKeys = 16

// softmax writes the function that adds the sums of rows to what is there.
func (m *machine) softmax() {
	m.begin("softmax", "adds the softmax sums of each lane of a register.",
		"func(scores *float32, keys int, first *float32, scale float32, sums *float64)", false)
	at, keys := m.argument("scores"), m.argument("keys")
	w := rowSummer{m: m, first: m.argument("first"), scale: m.register(), left: m.register()}
	sums := m.argument("sums")
	scale, err := m.Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	m.VBROADCASTSS(scale.Addr, w.scale)
	m.VMOVUPS(m.at(w.first, indexRow, 0), w.left)
	for c := range w.chains {
		for i := range w.chains[c] {
			w.chains[c][i] = m.register()
		}
	}
	if m.wide {
		m.pin("roundInt", "two0", "two1", "two2", "two3", "two4", "two5", "one", "sumCut")
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
		together := times
		if !m.wide { // one after the other wants fewer registers
			together = 1
		}
		for c := 0; c < times; c += together {
			w.keys(at, c, together)
		}
		m.ADDQ(operand.U32(uint32(row*times)), at)
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
// chains. Two side by side hide the latency of each.
func (w rowSummer) keys(at reg.Register, from, count int) {
	m := w.m
	m.chains, m.single = count, true
	defer func() { m.single = false }()
	x := m.value()
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
	y, eLog := w.counted(m.shiftLeft(shifted, 23), x, y)

	square := m.mul(y, y)
	for power, term := range []value{y, square, m.mul(square, y), eLog} {
		for i := range term {
			sum := w.chains[from+i][power]
			m.VADDPS(term[i], sum, sum)
		}
	}
}

// counted returns y·2^n and its product with x, both 0 for the greatest score
// and for those that count as nothing.
func (w rowSummer) counted(n, x, y value) (e, eLog value) {
	m := w.m
	e, eLog = m.value(), m.value()
	for i := range e {
		if m.wide {
			other, counts := m.K(), m.K()
			m.VPTESTMD(w.left, w.left, other)
			m.VPADDD_BCST(m.where("minusBit0"), w.left, w.left)
			m.VCMPPS(operand.U8(greater), m.constant("sumCut"), x[i], other, counts)
			m.VPADDD_Z(n[i], y[i], counts, e[i])
			m.VMULPS_Z(x[i], e[i], counts, eLog[i])
			continue
		}
		peak, counts := m.register(), m.register()
		m.clear(peak)
		m.VPCMPEQD(peak, w.left, peak)
		m.VPADDD(m.where("minusBit0"), w.left, w.left)
		m.VCMPPS(operand.U8(greater), m.where("sumCut"), x[i], counts)
		m.VPANDN(counts, peak, counts)
		m.VPADDD(n[i], y[i], e[i])
		m.VPAND(counts, e[i], e[i])
		m.VPAND(counts, x[i], x[i])
		m.VMULPS(x[i], e[i], eLog[i])
	}
	return e, eLog
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
