package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// machine writes instructions for one vector extension. The 16 lanes take one
// register of AVX-512 and two, called parts, of AVX2. Several chains can be
// worked on at once, which hides the latency of each.
type machine struct {
	*build.Context
	wide bool // AVX-512, else AVX2

	constants map[string]uint32
	table     operand.Mem // of the constants
	offset    map[string]int
	size      int // of the table

	doubleOffset map[uint64]int // of constants of 64 bits

	chains int
	single bool // one register of lanes, in AVX2 too
	pinned map[string]reg.VecVirtual

	// The generator's state, in memory and in registers. Where registers are
	// short, words are drawn in batches: first the words of many steps into
	// slots, then the arithmetic of these steps.
	batched bool
	memory  reg.Register
	state   [4]value
	slots   reg.Register
}

// value is a register for every chain and part, the parts of a chain together.
type value []reg.VecVirtual

// name is a constant as an operand.
type name string

func newMachine(wide bool, constants map[string]uint32) *machine {
	m := &machine{Context: build.NewContext(), wide: wide, constants: constants, offset: map[string]int{}, doubleOffset: map[uint64]int{}}
	m.table = m.StaticGlobal("constants")
	m.DataAttributes(attr.RODATA | attr.NOPTR)
	return m
}

func (m *machine) suffix() string {
	if m.wide {
		return "AVX512"
	}
	return "AVX2"
}

// row is the size of 16 lanes in memory.
const row = 64

// parts is the number of registers that hold the lanes of a value.
func (m *machine) parts() int {
	if m.wide || m.single {
		return 1
	}
	return 2
}

// bytes is the size of a register.
func (m *machine) bytes() int {
	if m.wide {
		return row
	}
	return row / 2
}

// at is the place of a part of a row.
func (m *machine) at(base reg.Register, rows, part int) operand.Mem {
	return operand.Mem{Base: base, Disp: row*rows + m.bytes()*part}
}

func (m *machine) register() reg.VecVirtual {
	if m.wide {
		return m.ZMM()
	}
	return m.YMM()
}

func (m *machine) value() value {
	v := make(value, m.chains*m.parts())
	for i := range v {
		v[i] = m.register()
	}
	return v
}

// where is the place of a constant: AVX-512 spreads one element over the
// register as it loads, AVX2 needs a full vector.
func (m *machine) where(n name) operand.Mem {
	at, ok := m.offset[string(n)]
	if !ok {
		pattern, known := m.constants[string(n)]
		if !known {
			panic("no constant " + string(n))
		}
		at = m.append(repeat(pattern, m.copies())...)
		m.offset[string(n)] = at
	}
	return m.table.Offset(at)
}

func (m *machine) copies() int {
	if m.wide {
		return 1
	}
	return 8
}

func repeat(x uint32, n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = x
	}
	return all
}

// append adds to the table and returns the offset.
func (m *machine) append(patterns ...uint32) int {
	at := m.size
	for i, p := range patterns {
		m.AddDatum(at+4*i, operand.U32(p))
	}
	m.size += 4 * len(patterns)
	return at
}

// load puts a constant into a register.
func (m *machine) load(n name) reg.VecVirtual {
	r := m.register()
	if m.wide {
		m.VPBROADCASTD(m.where(n), r)
	} else {
		m.VMOVDQU(m.where(n), r)
	}
	return r
}

// constant returns a register with the constant.
func (m *machine) constant(n name) reg.VecVirtual {
	if r, ok := m.pinned[string(n)]; ok {
		return r
	}
	return m.load(n)
}

// pin keeps constants in registers for the rest of the function.
func (m *machine) pin(names ...name) {
	for _, n := range names {
		m.pinned[string(n)] = m.load(n)
	}
}

// form is an instruction of three operands: plain, and with an element of
// memory spread over the register.
type form struct{ plain, spread func(...operand.Op) }

func (m *machine) binary(f form, a value, b any) value {
	out := m.value()
	for i := range out {
		switch b := b.(type) {
		case value:
			f.plain(b[i], a[i], out[i])
		case name:
			if r, ok := m.pinned[string(b)]; ok {
				f.plain(r, a[i], out[i])
			} else if m.wide {
				f.spread(m.where(b), a[i], out[i])
			} else {
				f.plain(m.where(b), a[i], out[i])
			}
		default:
			panic(fmt.Sprintf("operand is a %T", b))
		}
	}
	return out
}

// Operations on float32.

func (m *machine) add(a value, b any) value { return m.binary(form{m.VADDPS, m.VADDPS_BCST}, a, b) }
func (m *machine) sub(a value, b any) value { return m.binary(form{m.VSUBPS, m.VSUBPS_BCST}, a, b) }
func (m *machine) mul(a value, b any) value { return m.binary(form{m.VMULPS, m.VMULPS_BCST}, a, b) }
func (m *machine) div(a value, b any) value { return m.binary(form{m.VDIVPS, m.VDIVPS_BCST}, a, b) }
func (m *machine) max(a value, b any) value { return m.binary(form{m.VMAXPS, m.VMAXPS_BCST}, a, b) }
func (m *machine) sqrt(a value) value       { return m.unary(m.VSQRTPS, a) }

// float converts from signed integers.
func (m *machine) float(a value) value { return m.unary(m.VCVTDQ2PS, a) }

func (m *machine) unary(f func(...operand.Op), a value) value {
	out := m.value()
	for i := range out {
		f(a[i], out[i])
	}
	return out
}

// Operations on 32-bit integers.

func (m *machine) addInt(a value, b any) value {
	return m.binary(form{m.VPADDD, m.VPADDD_BCST}, a, b)
}

func (m *machine) subInt(a value, b any) value {
	return m.binary(form{m.VPSUBD, m.VPSUBD_BCST}, a, b)
}

func (m *machine) maxWord(a value, b any) value {
	return m.binary(form{m.VPMAXUD, m.VPMAXUD_BCST}, a, b)
}

func (m *machine) and(a value, b any) value {
	return m.binary(m.choose(form{m.VPANDD, m.VPANDD_BCST}, m.VPAND), a, b)
}

func (m *machine) or(a value, b any) value {
	return m.binary(m.choose(form{m.VPORD, m.VPORD_BCST}, m.VPOR), a, b)
}

func (m *machine) xor(a value, b any) value {
	return m.binary(m.choose(form{m.VPXORD, m.VPXORD_BCST}, m.VPXOR), a, b)
}

func (m *machine) choose(wide form, narrow func(a, b, c operand.Op)) form {
	if m.wide {
		return wide
	}
	return form{plain: func(ops ...operand.Op) { narrow(ops[0], ops[1], ops[2]) }}
}

func (m *machine) shiftLeft(a value, by uint8) value   { return m.shift(m.VPSLLD, a, by) }
func (m *machine) shiftRight(a value, by uint8) value  { return m.shift(m.VPSRLD, a, by) }
func (m *machine) shiftSigned(a value, by uint8) value { return m.shift(m.VPSRAD, a, by) }

func (m *machine) shift(f func(...operand.Op), a value, by uint8) value {
	return m.unary(func(ops ...operand.Op) { f(operand.U8(by), ops[0], ops[1]) }, a)
}
