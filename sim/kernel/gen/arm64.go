package main

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The next two functions add instructions of arm64 that AVX does not have. The register out, their
// last operand, is the result.

// emitNew adds an instruction that writes dst and does not read it.
func (m *machine) emitNew(opcode string, dst reg.VecVirtual, sources ...operand.Op) {
	m.Instruction(&ir.Instruction{
		Opcode:   opcode,
		Operands: append(slices.Clone(sources), dst),
		Inputs:   sources,
		Outputs:  []operand.Op{dst},
	})
}

// emitUpdate adds an instruction that reads and writes dst.
func (m *machine) emitUpdate(opcode string, dst reg.VecVirtual, sources ...operand.Op) {
	operands := append(slices.Clone(sources), dst)
	m.Instruction(&ir.Instruction{Opcode: opcode, Operands: operands, Inputs: slices.Clone(operands),
		Outputs: []operand.Op{dst}})
}

// Numbers of the registers that the translation reserves.
const (
	addressRegister = 16 // general register for computed addresses
	tableRegister   = 17 // general register with the address of the table of constants
	vectorRegister  = 31 // vector register for operands that are loaded from memory
)

// text is an operand in the syntax of Go's assembler.
type text string

func (t text) Asm() string { return string(t) }

// translateToARM64 translates a function whose registers are allocated. A vector register keeps
// the number of its XMM register, a general one its number in machine code.
func translateToARM64(f *ir.Function) error {
	t := translation{}
	if slices.ContainsFunc(f.Instructions(), usesTable) {
		t.emit("MOVD", "$constants<>(SB)", generalRegister(tableRegister))
	}
	for _, n := range f.Nodes {
		i, ok := n.(*ir.Instruction)
		if !ok {
			t.nodes = append(t.nodes, n)
			continue
		}
		if err := t.translate(i); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	f.Nodes = t.nodes
	return nil
}

func usesTable(i *ir.Instruction) bool {
	return slices.ContainsFunc(i.Operands, func(op operand.Op) bool {
		m, ok := op.(operand.Mem)
		return ok && m.Base == reg.StaticBase
	})
}

// translation holds the translated instructions and labels of a function.
type translation struct{ nodes []ir.Node }

// emit adds an instruction of Go's assembler.
func (t *translation) emit(opcode string, operands ...string) {
	i := &ir.Instruction{Opcode: opcode}
	for _, o := range operands {
		i.Operands = append(i.Operands, text(o))
	}
	t.nodes = append(t.nodes, i)
}

// translate adds the translation of an instruction of avo.
func (t *translation) translate(i *ir.Instruction) error {
	ops := i.Operands
	if v, ok := vectorOps[i.Opcode]; ok {
		v.emit(t, ops)
		return nil
	}
	if g, ok := generalOps[i.Opcode]; ok {
		g(t, ops)
		return nil
	}
	if opcode, ok := branches[i.Opcode]; ok {
		t.emit(opcode, ops[0].Asm())
		t.nodes[len(t.nodes)-1].(*ir.Instruction).IsBranch = true
		return nil
	}
	return fmt.Errorf("%s has no translation to arm64", i.Opcode)
}

var branches = map[string]string{"JMP": "B", "JL": "BLT", "JGE": "BGE", "JZ": "BEQ", "JNZ": "BNE"}

// generalOps holds the translations of instructions of general registers. Operands are in the order
// of avo, with the result last.
var generalOps = map[string]func(t *translation, ops []operand.Op){
	"RET":        func(t *translation, _ []operand.Op) { t.emit("RET") },
	"VZEROUPPER": func(*translation, []operand.Op) {},
	"MOVQ":       translateTwoOperands("MOVD"),
	"ADDQ":       translateUpdate("ADD"),
	"SUBQ":       translateUpdate("SUBS"),
	"ANDQ":       translateUpdate("ANDS"),
	"SHLQ":       translateUpdate("LSL"),
	"SHRQ":       translateUpdate("LSR"),
	"TESTQ":      translateTwoOperands("TST"),
	"TESTL":      translateTwoOperands("TSTW"),
	"VMOVD": func(t *translation, ops []operand.Op) {
		t.emit("FMOVS", fmt.Sprint("F", registerNumber(ops[0])), t.formatScalar(ops[1]))
	},
	"CMPQ": func(t *translation, ops []operand.Op) { t.emit("CMP", t.formatScalar(ops[1]), t.formatScalar(ops[0])) },
	"DECQ": func(t *translation, ops []operand.Op) {
		t.emit("SUBS", "$1", t.formatScalar(ops[0]), t.formatScalar(ops[0]))
	},
	"CMOVQGT": func(t *translation, ops []operand.Op) {
		t.emit("CSEL", "GT", t.formatScalar(ops[0]), t.formatScalar(ops[1]), t.formatScalar(ops[1]))
	},
	"LEAQ": func(t *translation, ops []operand.Op) {
		m, source, target := ops[0].(operand.Mem), generalRegister(addressRegister), t.formatScalar(ops[1])
		t.formatAddress(operand.Mem{Base: m.Base, Index: m.Index, Scale: m.Scale})
		if m.Index == nil {
			source = t.formatScalar(m.Base)
		}
		t.emit("ADD", fmt.Sprint("$", m.Disp), source, target)
	},
}

// translateTwoOperands translates an instruction that has two operands on both processors.
func translateTwoOperands(opcode string) func(*translation, []operand.Op) {
	return func(t *translation, ops []operand.Op) { t.emit(opcode, t.formatScalar(ops[0]), t.formatScalar(ops[1])) }
}

// translateUpdate translates an instruction that changes its second operand.
func translateUpdate(opcode string) func(*translation, []operand.Op) {
	return func(t *translation, ops []operand.Op) {
		t.emit(opcode, t.formatScalar(ops[0]), t.formatScalar(ops[1]), t.formatScalar(ops[1]))
	}
}

func generalRegister(number int) string { return fmt.Sprint("R", number) }

func registerNumber(r operand.Op) int { return int(r.(reg.Physical).PhysicalIndex()) }

// formatScalar formats a general register, a number, or an address in memory.
func (t *translation) formatScalar(op operand.Op) string {
	switch op := op.(type) {
	case reg.Register:
		return generalRegister(registerNumber(op))
	case operand.Mem:
		return t.formatAddress(op)
	}
	return op.Asm()
}

// formatShifted formats a register times a power of 2.
func formatShifted(r reg.Register, factor uint8) string {
	return fmt.Sprintf("%s<<%d", generalRegister(registerNumber(r)), bits.TrailingZeros8(factor))
}

// formatAddress formats an address in memory. If the address has an index, it first adds an
// instruction that stores the sum of base and index in addressRegister.
func (t *translation) formatAddress(m operand.Mem) string {
	switch {
	case m.Base == reg.FramePointer:
		return m.Asm()
	case m.Base == reg.StaticBase:
		return fmt.Sprintf("%d(%s)", m.Disp, generalRegister(tableRegister))
	case m.Index != nil:
		t.emit("ADD", formatShifted(m.Index, m.Scale), t.formatScalar(m.Base), generalRegister(addressRegister))
		return fmt.Sprintf("%d(%s)", m.Disp, generalRegister(addressRegister))
	}
	return fmt.Sprintf("%d(%s)", m.Disp, t.formatScalar(m.Base))
}

// loadVector returns the number of the vector register that holds the operand. If the operand is in
// memory, it first adds the given instruction, which loads it into vectorRegister.
func (t *translation) loadVector(op operand.Op, load string) int {
	m, ok := op.(operand.Mem)
	if !ok {
		return registerNumber(op)
	}
	t.emit(load, t.formatAddress(m), fmt.Sprint("F", vectorRegister))
	return vectorRegister
}
