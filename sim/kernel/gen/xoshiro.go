package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// row is the distance of the generator's state words in memory, and of rows
// of lanes everywhere: 16 lanes of 4 bytes.
const row = 64

func (m *machine) loadState(at reg.Register) {
	for i := range m.state {
		m.state[i] = m.register()
		m.VMOVUPS(operand.Mem{Base: at, Disp: row * i}, m.state[i])
	}
}

func (m *machine) storeState(at reg.Register) {
	for i := range m.state {
		m.VMOVUPS(m.state[i], operand.Mem{Base: at, Disp: row * i})
	}
}

// words draws n words of every chain: all of the first chain come first.
func (m *machine) words(n int) []value {
	all := make([]value, n)
	for i := range all {
		all[i] = make(value, m.chains)
	}
	for c := range m.chains {
		for i := range all {
			all[i][c] = m.next()
		}
	}
	return all
}

// next is one step of xoshiro128++ in all lanes.
func (m *machine) next() reg.VecVirtual {
	if m.wide {
		return m.nextWide()
	}
	a, b, c, d := m.state[0], m.state[1], m.state[2], m.state[3]
	word, t := m.YMM(), m.YMM()
	m.VPADDD(a, d, word)
	m.rotate(word, 7)
	m.VPADDD(a, word, word)
	m.VPSLLD(operand.U8(9), b, t)
	m.VPXOR(a, c, c)
	m.VPXOR(b, d, d)
	m.VPXOR(c, b, b)
	m.VPXOR(d, a, a)
	m.VPXOR(t, c, c)
	m.rotate(d, 11)
	return word
}

func (m *machine) rotate(x reg.VecVirtual, by uint8) {
	high := m.YMM()
	m.VPSLLD(operand.U8(by), x, high)
	m.VPSRLD(operand.U8(32-by), x, x)
	m.VPOR(high, x, x)
}

// nextWide joins two exclusive ors into one instruction where it can.
func (m *machine) nextWide() reg.VecVirtual {
	const xor3 = 0x96
	a, b, c, d := m.state[0], m.state[1], m.state[2], m.state[3]
	word, t := m.ZMM(), m.ZMM()
	m.VPADDD(a, d, word)
	m.VPROLD(operand.U8(7), word, word)
	m.VPADDD(a, word, word)
	m.VPSLLD(operand.U8(9), b, t)
	m.VPXORD(b, d, d)
	m.ternary(xor3, a, c, b)
	m.ternary(xor3, a, t, c)
	m.VPXORD(d, a, a)
	m.VPROLD(operand.U8(11), d, d)
	return word
}
