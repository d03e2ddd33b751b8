package main

import (
	"fmt"
	"math"
	"slices"

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
	offset    map[any]int // of a name, or of 64 bits
	size      int         // of the table

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
	m := &machine{Context: build.NewContext(), wide: wide, constants: constants, offset: map[any]int{}}
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

func (m *machine) registers(n int) value {
	all := make(value, n)
	for i := range all {
		all[i] = m.register()
	}
	return all
}

func (m *machine) value() value { return m.registers(m.chains * m.parts()) }

// where is the place of a constant: AVX-512 spreads one element over the
// register as it loads, AVX2 needs a full vector.
func (m *machine) where(n name) operand.Mem {
	pattern, known := m.constants[string(n)]
	if !known {
		panic("no constant " + string(n))
	}
	return m.kept(n, pattern)
}

// double is likewise that of a constant of 64 bits.
func (m *machine) double(pattern uint64) operand.Mem {
	return m.kept(pattern, uint32(pattern), uint32(pattern>>32))
}

// kept is where the table has a constant, which it takes in at first.
func (m *machine) kept(key any, patterns ...uint32) operand.Mem {
	at, ok := m.offset[key]
	if !ok {
		if !m.wide {
			patterns = slices.Repeat(patterns, 8/len(patterns))
		}
		at = m.append(patterns...)
		m.offset[key] = at
	}
	return m.table.Offset(at)
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
	out := m.registers(len(a))
	for i := range out {
		m.apply(f, b, i, a[i], out[i])
	}
	return out
}

// apply is one instruction of binary.
func (m *machine) apply(f form, b any, i int, a, out reg.VecVirtual) {
	if x, spread := m.operand(b, i); spread {
		f.spread(x, a, out)
	} else {
		f.plain(x, a, out)
	}
}

// operand is register i of a value, or a constant, which AVX-512 spreads where it
// stands in memory: one that has a name, a float64 or the pattern of one.
func (m *machine) operand(b any, i int) (x operand.Op, spread bool) {
	switch b := b.(type) {
	case value:
		return b[i], false
	case name:
		if r, ok := m.pinned[string(b)]; ok {
			return r, false
		}
		return m.where(b), m.wide
	case float64:
		return m.double(math.Float64bits(b)), m.wide
	case uint64:
		return m.double(b), m.wide
	}
	panic(fmt.Sprintf("operand is a %T", b))
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
	out := m.registers(len(a))
	for i := range out {
		f(a[i], out[i])
	}
	return out
}

// Operations on 32-bit integers.

func (m *machine) addInt(a value, b any) value { return m.binary(form{m.VPADDD, m.VPADDD_BCST}, a, b) }
func (m *machine) subInt(a value, b any) value { return m.binary(form{m.VPSUBD, m.VPSUBD_BCST}, a, b) }
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
