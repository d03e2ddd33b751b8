package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	perWord = 16 // components of a pair in one word
	// flush is how many words the bytes of a counter hold: a byte of a word
	// has 4 components.
	flush = 255 / 4
)

// rademacherPairs writes the function that counts the components whose signs
// differ, first in bytes, then in words.
func (m *machine) rademacherPairs() {
	m.begin("rademacherPairs", "sums the products of d components in every lane.",
		"func(state *uint32, d int, scores *float32, parameters *uint32)")
	state := m.Load(m.Param("state"), m.GP64())
	d := m.Load(m.Param("d"), m.GP64())
	scores := m.Load(m.Param("scores"), m.GP64())
	m.chains = 1
	m.pin("evenBits", "nibbles")
	bits := m.nibbleTable()
	left, inner, rest := m.GP64(), m.GP64(), m.GP64()
	m.halves(func() {
		m.loadState(state)
		total := m.zero()
		m.MOVQ(d, left)
		m.SHRQ(operand.U8(4), left)
		m.Label("flush")
		counter := m.zero()
		m.MOVQ(left, inner)
		m.MOVQ(operand.U32(flush), rest)
		m.CMPQ(inner, rest)
		m.CMOVQGT(rest, inner)
		m.SUBQ(inner, left)
		m.TESTQ(inner, inner)
		m.JZ(operand.LabelRef("full"))
		m.Label("word")
		m.count(m.differ(name("evenBits")), bits, counter)
		m.DECQ(inner)
		m.JNZ(operand.LabelRef("word"))
		m.Label("full")
		m.collect(counter, total)
		m.TESTQ(left, left)
		m.JNZ(operand.LabelRef("flush"))

		m.MOVQ(d, reg.RCX)
		m.ANDQ(operand.U8(perWord-1), reg.RCX)
		m.JZ(operand.LabelRef("score"))
		last := m.zero()
		m.count(m.differ(m.lastMask()), bits, last)
		m.collect(last, total)
		m.Label("score")
		score := m.register()
		m.VMOVQ(d, score.AsX())
		m.VPBROADCASTD(score.AsX(), score)
		m.VPSUBD(total, score, score)
		m.VPSUBD(total, score, score)
		m.VCVTDQ2PS(score, score)
		m.VMOVUPS(score, operand.Mem{Base: scores})
		m.storeState(state)
	}, state, scores)
	m.VZEROUPPER()
	m.RET()
}

// lastMask returns evenBits of the components that the last word still has
// to give, whose number is in RCX.
func (m *machine) lastMask() value {
	mask := m.GP64()
	m.ADDQ(reg.RCX, reg.RCX)
	m.MOVQ(operand.U32(1), mask)
	m.SHLQ(reg.CL, mask)
	m.DECQ(mask)
	m.ANDQ(operand.U32(0x55555555), mask)
	r := m.register()
	m.VMOVQ(mask, r.AsX())
	m.VPBROADCASTD(r.AsX(), r)
	return value{r}
}

// differ returns the next word's bits of q, set where k's are not the same.
func (m *machine) differ(mask any) value {
	w := value{m.next()}
	shifted := m.shiftRight(w, 1)
	if !m.wide {
		return m.and(m.xor(w, shifted), mask)
	}
	const xorAnd = 0x28 // (a ^ b) & c
	if n, ok := mask.(name); ok {
		mask = value{m.constant(n)}
	}
	m.ternary(xorAnd, mask.(value)[0], w[0], shifted[0])
	return shifted
}

// nibbleTable returns a register that maps the sum of two nibbles, which hold
// bits at 0 and 2 only, to the number of bits: (n & 3) + n/4.
func (m *machine) nibbleTable() reg.VecVirtual {
	patterns := make([]uint32, 0, m.bytes()/4)
	for range m.bytes() / 16 {
		for first := uint32(0); first < 16; first += 4 {
			var four uint32
			for i := range uint32(4) {
				four |= ((first+i)&3 + (first+i)/4) << (8 * i)
			}
			patterns = append(patterns, four)
		}
	}
	r := m.register()
	at := m.table.Offset(m.append(patterns...))
	if m.wide {
		m.VMOVDQU32(at, r)
	} else {
		m.VMOVDQU(at, r)
	}
	return r
}

// count adds the bits of every byte to the bytes of the counter.
func (m *machine) count(differ value, bits, counter reg.VecVirtual) {
	sum := m.and(m.addInt(differ, m.shiftRight(differ, 4)), name("nibbles"))
	number := m.register()
	m.VPSHUFB(sum[0], bits, number)
	m.VPADDB(number, counter, counter)
}

// collect adds the four bytes of every word to the total.
func (m *machine) collect(counter, total reg.VecVirtual) {
	sum := m.register()
	m.VPMADDUBSW(m.constant("bytes"), counter, sum)
	m.VPMADDWD(m.constant("words"), sum, sum)
	m.VPADDD(sum, total, total)
}

// rademacherFill writes the function that stores the 32 draws of each word.
func (m *machine) rademacherFill() {
	m.beginFill("rademacher", 32)
	m.pin("signBit", "one")
	m.fillRows(func(at reg.Register, _ int) {
		m.chains = 1
		w := value{m.next()}
		for i := range 32 {
			draw := m.signed(m.shiftLeft(w, uint8(31-i)))
			m.VMOVUPS(draw[0], operand.Mem{Base: at, Disp: row * i})
		}
		m.ADDQ(operand.U32(row*32), at)
	}, 1)
}

// signed is 1 with the sign that the top bit of w gives.
func (m *machine) signed(w value) value {
	if !m.wide {
		return m.or(m.and(w, name("signBit")), name("one"))
	}
	const andOr = 0xea // (a & b) | c
	m.ternary(andOr, name("one"), m.constant("signBit"), w[0])
	return w
}
