package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The functions of this file select numbers by the bits of a word. For this, AVX-512 has mask
// registers and an instruction for any bitwise function of three operands.

// flipSign changes the sign of x in lanes where the top bit of w is set.
func (m *machine) flipSign(x, w value) value {
	if !m.isAVX512 {
		return m.xor(x, m.and(w, name("signBit")))
	}
	const xorAnd = 0x78 // a ^ (b & c)
	dst := m.newValue()
	for i := range dst {
		m.VMOVAPS(x[i], dst[i])
		m.emitTernary(xorAnd, name("signBit"), w[i], dst[i])
	}
	return dst
}

// emitTernary replaces a by a bitwise function of a, b and c. Bit 4a + 2b + c of table is its
// result.
func (m *machine) emitTernary(table uint8, c any, b, a reg.VecVirtual) {
	switch c := c.(type) {
	case reg.VecVirtual:
		m.VPTERNLOGD(operand.U8(table), c, b, a)
	case name:
		if r, ok := m.pinned[string(c)]; ok {
			m.VPTERNLOGD(operand.U8(table), r, b, a)
		} else {
			m.VPTERNLOGD_BCST(operand.U8(table), m.constantAddress(c), b, a)
		}
	}
}

// exchangeWhere returns (b, a) in lanes where the low bit of w is set, and (a, b) in others.
func (m *machine) exchangeWhere(w, a, b value) (x, y value) {
	x, y = m.newValue(), m.newValue()
	for i := range w {
		if m.isAVX512 {
			k := m.K()
			m.VPTESTMD(m.constant("bit0"), w[i], k)
			m.VBLENDMPS(b[i], a[i], k, x[i])
			m.VBLENDMPS(a[i], b[i], k, y[i])
			continue
		}
		mask := m.register()
		if m.isNEON {
			m.emitNew("CMTST", mask, m.constant("bit0"), w[i])
		} else {
			m.VPSLLD(operand.U8(31), w[i], mask)
		}
		m.VBLENDVPS(mask, b[i], a[i], x[i])
		m.VBLENDVPS(mask, a[i], b[i], y[i])
	}
	return x, y
}

// drawIfAnyKept returns the value that the code of draw computes. The generated code skips it and
// gives 0 if all words exceed the limit. This is often the case with the few lanes of NEON.
func (m *machine) drawIfAnyKept(words value, limit name, draw func() value) value {
	dst := m.newValue()
	for _, r := range dst {
		m.clear(r)
	}
	minWord, smaller, anyKept := m.register(), m.register(), m.GP32() // minWord becomes the mask minWord ≤ limit
	m.VMOVUPS(words[0], minWord)
	for _, w := range words[1:] {
		m.VPMINUD(w, minWord, minWord)
	}
	m.emitNew("UMINV", minWord, minWord)
	m.VPMINUD(m.pinned[string(limit)], minWord, smaller)
	m.VPCMPEQD(smaller, minWord, minWord)
	m.VMOVD(minWord, anyKept)
	m.TESTL(anyKept, anyKept)
	m.labelCount++
	label := fmt.Sprint("none", m.labelCount)
	m.JZ(operand.LabelRef(label))
	for i, r := range draw() {
		m.VMOVUPS(r, dst[i])
	}
	m.Label(label)
	return dst
}

// zeroAbove returns x in lanes where w, as an unsigned number, is at most limit, and 0 in others.
func (m *machine) zeroAbove(x, w value, limit name) value {
	dst, bound := m.newValue(), m.pinned[string(limit)]
	for i := range w {
		if m.isAVX512 {
			const lessOrEqual = 2
			k := m.K()
			m.VPCMPUD(operand.U8(lessOrEqual), bound, w[i], k)
			m.VMOVAPS_Z(x[i], k, dst[i])
			continue
		}
		mask := m.register()
		m.VPMINUD(bound, w[i], mask)
		m.VPCMPEQD(mask, w[i], mask)
		m.VPAND(mask, x[i], dst[i])
	}
	return dst
}
