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

// extension is a set of vector instructions.
type extension struct {
	name         string
	architecture string
	bytes        int // of a register
	vectors      int // registers
	unroll       int // steps at once, so that each value has registers enough to work on
}

var (
	avx512 = extension{name: "AVX512", architecture: "amd64", bytes: 64, vectors: 32, unroll: 2}
	avx2   = extension{name: "AVX2", architecture: "amd64", bytes: 32, vectors: 16, unroll: 1}
	// The last register is what arm64 has memory loaded into; see arm64.go.
	neon = extension{name: "NEON", architecture: "arm64", bytes: 16, vectors: 31, unroll: 2}
)

// machine writes instructions for one vector extension. The 16 lanes take one
// register of AVX-512 and two, called parts, of AVX2; functions for NEON take four
// lanes and are called four times. Several chains can be worked on at once, which
// hides the latency of each.
//
// A program for NEON is first written in the instructions of AVX, with registers of
// 128 bits, and in a few of its own, and then translated (arm64.go).
type machine struct {
	*build.Context
	extension
	wide bool // AVX-512
	neon bool

	constants map[string]uint32
	table     operand.Mem // of the constants
	offset    map[any]int // of a name, or of 64 bits
	size      int         // of the table
	labels    int         // that are numbered

	chains int
	single bool // one register of lanes, in AVX2 too, as always in NEON
	pinned map[string]reg.VecVirtual

	// The generator's state, in memory and in registers. Where registers are
	// short, words are drawn in batches: first the words of many steps into
	// slots, then the arithmetic of these steps. Where they are not, words may have
	// been drawn before.
	batched bool
	memory  reg.Register
	state   [4]value
	slots   reg.Register
	drawn   value
}

// value is a register for every chain and part, the parts of a chain together.
type value []reg.VecVirtual

// name is a constant as an operand.
type name string

func newMachine(e extension, constants map[string]uint32) *machine {
	m := &machine{Context: build.NewContext(), extension: e, wide: e == avx512, neon: e == neon, constants: constants,
		offset: map[any]int{}}
	m.table = m.StaticGlobal("constants")
	m.DataAttributes(attr.RODATA | attr.NOPTR)
	return m
}

// row is the size of 16 lanes in memory.
const row = 64

// parts is the number of registers that hold the lanes of a value.
func (m *machine) parts() int {
	if m.wide || m.single || m.neon {
		return 1
	}
	return 2
}

// perRow is the number of registers that 16 lanes take.
func (m *machine) perRow() int { return row / m.bytes }

// at is the place of a part of a row.
func (m *machine) at(base reg.Register, rows, part int) operand.Mem {
	return operand.Mem{Base: base, Disp: row*rows + m.bytes*part}
}

func (m *machine) register() reg.VecVirtual {
	switch {
	case m.wide:
		return m.ZMM()
	case m.neon:
		return m.XMM()
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
// register as it loads, the others need a full vector.
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
			patterns = slices.Repeat(patterns, m.bytes/4/len(patterns))
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
	if m.neon {
		b = m.loaded(b, len(a))
	}
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

// loaded is an operand for n instructions of NEON, which have no operands in memory: a
// constant in a register.
func (m *machine) loaded(b any, n int) any {
	r := m.register()
	switch b := b.(type) {
	case value:
		return b
	case name:
		r = m.constant(b)
	case float64:
		m.VMOVUPD(m.double(math.Float64bits(b)), r)
	case uint64:
		m.VMOVUPD(m.double(b), r)
	}
	return value(slices.Repeat([]reg.VecVirtual{r}, n))
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
