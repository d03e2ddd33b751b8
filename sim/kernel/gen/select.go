package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What follows chooses by bits of a word, where AVX-512 has masks and
// functions of three operands.

// flipSign changes the sign of x where the top bit of w is set.
func (m *machine) flipSign(x, w value) value {
	if !m.wide {
		return m.xor(x, m.and(w, name("signBit")))
	}
	const xorAnd = 0x78 // a ^ (b & c)
	out := m.value()
	for i := range out {
		m.VMOVAPS(x[i], out[i])
		m.ternary(xorAnd, name("signBit"), w[i], out[i])
	}
	return out
}

// ternary replaces a by the function of (a, b, c) that the table's bits give.
func (m *machine) ternary(table uint8, c any, b, a reg.VecVirtual) {
	switch c := c.(type) {
	case reg.VecVirtual:
		m.VPTERNLOGD(operand.U8(table), c, b, a)
	case name:
		if r, ok := m.pinned[string(c)]; ok {
			m.VPTERNLOGD(operand.U8(table), r, b, a)
		} else {
			m.VPTERNLOGD_BCST(operand.U8(table), m.where(c), b, a)
		}
	}
}

// exchange returns (b, a) where the low bit of w is set, else (a, b).
func (m *machine) exchange(w, a, b value) (x, y value) {
	x, y = m.value(), m.value()
	for i := range w {
		if m.wide {
			k := m.K()
			m.VPTESTMD(m.constant("bit0"), w[i], k)
			m.VBLENDMPS(b[i], a[i], k, x[i])
			m.VBLENDMPS(a[i], b[i], k, y[i])
			continue
		}
		mask := m.register()
		if m.neon {
			m.making("CMTST", mask, m.constant("bit0"), w[i])
		} else {
			m.VPSLLD(operand.U8(31), w[i], mask)
		}
		m.VBLENDVPS(mask, b[i], a[i], x[i])
		m.VBLENDVPS(mask, a[i], b[i], y[i])
	}
	return x, y
}

// seldom is what draw returns, or 0 without it where no word is at most the limit. Of
// the few lanes of NEON often none is.
func (m *machine) seldom(words value, limit name, draw func() value) value {
	out := m.value()
	for _, r := range out {
		m.clear(r)
	}
	least, smaller, some := m.register(), m.register(), m.GP32()
	m.VMOVUPS(words[0], least)
	for _, w := range words[1:] {
		m.VPMINUD(w, least, least)
	}
	m.making("UMINV", least, least)
	m.VPMINUD(m.pinned[string(limit)], least, smaller)
	m.VPCMPEQD(smaller, least, least)
	m.VMOVD(least, some)
	m.TESTL(some, some)
	m.labels++
	none := fmt.Sprint("none", m.labels)
	m.JZ(operand.LabelRef(none))
	for i, r := range draw() {
		m.VMOVUPS(r, out[i])
	}
	m.Label(none)
	return out
}

// keep returns x where the unsigned w ≤ limit, else 0.
func (m *machine) keep(x, w value, limit name) value {
	out, bound := m.value(), m.pinned[string(limit)]
	for i := range w {
		if m.wide {
			const lessOrEqual = 2
			k := m.K()
			m.VPCMPUD(operand.U8(lessOrEqual), bound, w[i], k)
			m.VMOVAPS_Z(x[i], k, out[i])
			continue
		}
		mask := m.register()
		m.VPMINUD(bound, w[i], mask)
		m.VPCMPEQD(mask, w[i], mask)
		m.VPAND(mask, x[i], out[i])
	}
	return out
}
