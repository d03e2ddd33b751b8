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
	bytes        int // size of a register
	vectors      int // number of vector registers that may be allocated
	unroll       int // number of steps that the registers suffice to compute together
}

var (
	avx512 = extension{name: "AVX512", architecture: "amd64", bytes: 64, vectors: 32, unroll: 2}
	avx2   = extension{name: "AVX2", architecture: "amd64", bytes: 32, vectors: 16, unroll: 1}
	// Of the 32 registers of NEON, arm64.go reserves the last one for operands from memory.
	neon = extension{name: "NEON", architecture: "arm64", bytes: 16, vectors: 31, unroll: 2}
)

// machine writes instructions for one vector extension. The 16 lanes take one register of AVX-512
// and two, called parts, of AVX2. Functions for NEON take four lanes and are called four times.
// Several chains of operations can be computed together, which hides the latency of each.
//
// A program for NEON is first written in the instructions of AVX, with registers of 128 bits, and
// in a few of NEON's own, and then translated (arm64.go).
type machine struct {
	*build.Context
	extension
	isAVX512 bool
	isNEON   bool

	constants  map[string]uint32
	table      operand.Mem // constants in memory
	offsets    map[any]int // offset in the table by the name or the 64-bit pattern of a constant
	tableSize  int         // size of the table in bytes
	labelCount int         // number of numbered labels

	chains     int  // number of chains of the values that are computed now
	singlePart bool // whether values have one part in AVX2, too, as they always have in NEON
	// pinned holds by name the registers of constants that stay in a register for a whole function.
	pinned map[string]reg.VecVirtual

	// The generator's state, in memory and in registers. If batched is set, because there are few
	// registers, words are generated in batches: first the words of many steps are stored in slots,
	// rows of memory on the stack, then the arithmetic of these steps is done. Otherwise drawnWords
	// may have words that were generated before.
	batched      bool
	stateAddress reg.Register
	state        [4]value
	slots        reg.Register
	drawnWords   value
}

// value has a register for every chain and part, with the parts of a chain next to each other.
type value []reg.VecVirtual

// name is the name of a constant.
type name string

func newMachine(e extension, constants map[string]uint32) *machine {
	m := &machine{
		Context: build.NewContext(), extension: e, isAVX512: e == avx512, isNEON: e == neon,
		constants: constants, offsets: map[any]int{},
	}
	m.table = m.StaticGlobal("constants")
	m.DataAttributes(attr.RODATA | attr.NOPTR)
	return m
}

// rowBytes is the size of 16 lanes in memory.
const rowBytes = 64

// parts returns the number of registers for the lanes of a value.
func (m *machine) parts() int {
	if m.isAVX512 || m.singlePart || m.isNEON {
		return 1
	}
	return 2
}

// registersPerRow returns the number of registers for 16 lanes.
func (m *machine) registersPerRow() int { return rowBytes / m.bytes }

// address returns the address of a part of the row that is the given number of rows after base.
func (m *machine) address(base reg.Register, rows, part int) operand.Mem {
	return operand.Mem{Base: base, Disp: rowBytes*rows + m.bytes*part}
}

func (m *machine) register() reg.VecVirtual {
	switch {
	case m.isAVX512:
		return m.ZMM()
	case m.isNEON:
		return m.XMM()
	}
	return m.YMM()
}

func (m *machine) registers(n int) value {
	values := make(value, n)
	for i := range values {
		values[i] = m.register()
	}
	return values
}

func (m *machine) newValue() value { return m.registers(m.chains * m.parts()) }

// constantAddress returns the address of a constant. AVX-512 broadcasts one element when it loads
// it; the other extensions need a full vector in memory.
func (m *machine) constantAddress(n name) operand.Mem {
	pattern, known := m.constants[string(n)]
	if !known {
		panic("no constant " + string(n))
	}
	return m.tableAddress(n, pattern)
}

// doubleAddress returns the address of a constant of 64 bits.
func (m *machine) doubleAddress(pattern uint64) operand.Mem {
	return m.tableAddress(pattern, uint32(pattern), uint32(pattern>>32))
}

// tableAddress returns the address of a constant in the table. It adds the constant at its first
// use.
func (m *machine) tableAddress(key any, patterns ...uint32) operand.Mem {
	offset, ok := m.offsets[key]
	if !ok {
		if !m.isAVX512 {
			patterns = slices.Repeat(patterns, m.bytes/4/len(patterns))
		}
		offset = m.appendTable(patterns...)
		m.offsets[key] = offset
	}
	return m.table.Offset(offset)
}

// appendTable adds patterns of 32 bits to the table and returns their offset in bytes.
func (m *machine) appendTable(patterns ...uint32) int {
	offset := m.tableSize
	for i, p := range patterns {
		m.AddDatum(offset+4*i, operand.U32(p))
	}
	m.tableSize += 4 * len(patterns)
	return offset
}

// loadConstant loads a constant into a new register.
func (m *machine) loadConstant(n name) reg.VecVirtual {
	r := m.register()
	if m.isAVX512 {
		m.VPBROADCASTD(m.constantAddress(n), r)
	} else {
		m.VMOVDQU(m.constantAddress(n), r)
	}
	return r
}

// constant returns a register with the constant, which may be pinned.
func (m *machine) constant(n name) reg.VecVirtual {
	if r, ok := m.pinned[string(n)]; ok {
		return r
	}
	return m.loadConstant(n)
}

// pin keeps constants in registers for the rest of the function.
func (m *machine) pin(names ...name) {
	for _, n := range names {
		m.pinned[string(n)] = m.loadConstant(n)
	}
}

// instruction is an instruction of three operands in two forms: with a register or vector in memory
// (plain), or with one element of memory that is broadcast to all lanes (broadcast).
type instruction struct{ plain, broadcast func(...operand.Op) }

// binary returns the results of an instruction for every register of a. b is a value or a constant,
// as in operand.
func (m *machine) binary(f instruction, a value, b any) value {
	if m.isNEON {
		b = m.loadOperand(b, len(a))
	}
	dst := m.registers(len(a))
	for i := range dst {
		m.emit(f, b, i, a[i], dst[i])
	}
	return dst
}

// emit adds one instruction of binary.
func (m *machine) emit(f instruction, b any, i int, a, dst reg.VecVirtual) {
	if x, isBroadcast := m.operand(b, i); isBroadcast {
		f.broadcast(x, a, dst)
	} else {
		f.plain(x, a, dst)
	}
}

// loadOperand returns an operand for n instructions of NEON, which do not take operands in memory.
// A constant is loaded into a register.
func (m *machine) loadOperand(b any, n int) any {
	r := m.register()
	switch b := b.(type) {
	case value:
		return b
	case name:
		r = m.constant(b)
	case float64:
		m.VMOVUPD(m.doubleAddress(math.Float64bits(b)), r)
	case uint64:
		m.VMOVUPD(m.doubleAddress(b), r)
	}
	return value(slices.Repeat([]reg.VecVirtual{r}, n))
}

// operand returns the operand for b, which is a value or a constant: a name, a float64 or the bit
// pattern of a float64. Of a value it returns register i. isBroadcast reports whether the operand
// is one element of memory, which is the case for constants in AVX-512.
func (m *machine) operand(b any, i int) (x operand.Op, isBroadcast bool) {
	switch b := b.(type) {
	case value:
		return b[i], false
	case name:
		if r, ok := m.pinned[string(b)]; ok {
			return r, false
		}
		return m.constantAddress(b), m.isAVX512
	case float64:
		return m.doubleAddress(math.Float64bits(b)), m.isAVX512
	case uint64:
		return m.doubleAddress(b), m.isAVX512
	}
	panic(fmt.Sprintf("operand is a %T", b))
}

// Operations on float32.

func (m *machine) add(a value, b any) value {
	return m.binary(instruction{m.VADDPS, m.VADDPS_BCST}, a, b)
}
func (m *machine) sub(a value, b any) value {
	return m.binary(instruction{m.VSUBPS, m.VSUBPS_BCST}, a, b)
}
func (m *machine) mul(a value, b any) value {
	return m.binary(instruction{m.VMULPS, m.VMULPS_BCST}, a, b)
}
func (m *machine) div(a value, b any) value {
	return m.binary(instruction{m.VDIVPS, m.VDIVPS_BCST}, a, b)
}
func (m *machine) max(a value, b any) value {
	return m.binary(instruction{m.VMAXPS, m.VMAXPS_BCST}, a, b)
}
func (m *machine) sqrt(a value) value { return m.unary(m.VSQRTPS, a) }

// float converts from signed integers.
func (m *machine) float(a value) value { return m.unary(m.VCVTDQ2PS, a) }

func (m *machine) unary(f func(...operand.Op), a value) value {
	dst := m.registers(len(a))
	for i := range dst {
		f(a[i], dst[i])
	}
	return dst
}

// Operations on 32-bit integers.

func (m *machine) addInt(a value, b any) value {
	return m.binary(instruction{m.VPADDD, m.VPADDD_BCST}, a, b)
}
func (m *machine) subInt(a value, b any) value {
	return m.binary(instruction{m.VPSUBD, m.VPSUBD_BCST}, a, b)
}
func (m *machine) maxWord(a value, b any) value {
	return m.binary(instruction{m.VPMAXUD, m.VPMAXUD_BCST}, a, b)
}
func (m *machine) and(a value, b any) value {
	return m.binary(m.chooseInstruction(instruction{m.VPANDD, m.VPANDD_BCST}, m.VPAND), a, b)
}
func (m *machine) or(a value, b any) value {
	return m.binary(m.chooseInstruction(instruction{m.VPORD, m.VPORD_BCST}, m.VPOR), a, b)
}
func (m *machine) xor(a value, b any) value {
	return m.binary(m.chooseInstruction(instruction{m.VPXORD, m.VPXORD_BCST}, m.VPXOR), a, b)
}

func (m *machine) chooseInstruction(avx512 instruction, vex func(a, b, c operand.Op)) instruction {
	if m.isAVX512 {
		return avx512
	}
	return instruction{plain: func(ops ...operand.Op) { vex(ops[0], ops[1], ops[2]) }}
}

func (m *machine) shiftLeft(a value, count uint8) value   { return m.shift(m.VPSLLD, a, count) }
func (m *machine) shiftRight(a value, count uint8) value  { return m.shift(m.VPSRLD, a, count) }
func (m *machine) shiftSigned(a value, count uint8) value { return m.shift(m.VPSRAD, a, count) }

func (m *machine) shift(f func(...operand.Op), a value, count uint8) value {
	return m.unary(func(ops ...operand.Op) { f(operand.U8(count), ops[0], ops[1]) }, a)
}
