package main

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Instructions of arm64 that AVX does not have; the last operand is the result.

// making adds one that writes out.
func (m *machine) making(opcode string, out reg.VecVirtual, in ...operand.Op) {
	m.Instruction(&ir.Instruction{
		Opcode:   opcode,
		Operands: append(slices.Clone(in), out),
		Inputs:   in,
		Outputs:  []operand.Op{out},
	})
}

// changing adds one that reads out, too.
func (m *machine) changing(opcode string, out reg.VecVirtual, in ...operand.Op) {
	all := append(slices.Clone(in), out)
	m.Instruction(&ir.Instruction{Opcode: opcode, Operands: all, Inputs: slices.Clone(all), Outputs: []operand.Op{out}})
}

// Registers that the translation needs for itself: an address, the table of constants,
// and what an instruction reads of memory.
const (
	addressRegister = 16
	tableRegister   = 17
	vectorRegister  = 31
)

// text is an operand as it stands in assembly.
type text string

// Asm is the operand.
func (t text) Asm() string { return string(t) }

// arm64 translates a function whose registers are allocated. A vector register keeps the
// number of its XMM register, a general one its number in machine code.
func arm64(f *ir.Function) error {
	t := translation{}
	if slices.ContainsFunc(f.Instructions(), usesTable) {
		t.put("MOVD", "$constants<>(SB)", general(tableRegister))
	}
	for _, n := range f.Nodes {
		i, ok := n.(*ir.Instruction)
		if !ok {
			t.nodes = append(t.nodes, n)
			continue
		}
		if err := t.instruction(i); err != nil {
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

// translation is a function so far.
type translation struct{ nodes []ir.Node }

// put adds an instruction of Go's assembler.
func (t *translation) put(opcode string, operands ...string) {
	i := &ir.Instruction{Opcode: opcode}
	for _, o := range operands {
		i.Operands = append(i.Operands, text(o))
	}
	t.nodes = append(t.nodes, i)
}

// instruction adds what one of avo's becomes.
func (t *translation) instruction(i *ir.Instruction) error {
	ops := i.Operands
	if v, ok := vectorOps[i.Opcode]; ok {
		v.emit(t, ops)
		return nil
	}
	if g, ok := generalOps[i.Opcode]; ok {
		g(t, ops)
		return nil
	}
	if to, ok := branches[i.Opcode]; ok {
		t.put(to, ops[0].Asm())
		t.nodes[len(t.nodes)-1].(*ir.Instruction).IsBranch = true
		return nil
	}
	return fmt.Errorf("%s has no translation to arm64", i.Opcode)
}

var branches = map[string]string{"JMP": "B", "JL": "BLT", "JGE": "BGE", "JZ": "BEQ", "JNZ": "BNE"}

// generalOps are those of general registers, with the operands of avo, the result last.
var generalOps = map[string]func(t *translation, ops []operand.Op){
	"RET":        func(t *translation, _ []operand.Op) { t.put("RET") },
	"VZEROUPPER": func(*translation, []operand.Op) {},
	"MOVQ":       like("MOVD"),
	"ADDQ":       updating("ADD"),
	"SUBQ":       updating("SUBS"),
	"ANDQ":       updating("ANDS"),
	"SHLQ":       updating("LSL"),
	"SHRQ":       updating("LSR"),
	"TESTQ":      like("TST"),
	"TESTL":      like("TSTW"),
	"VMOVD": func(t *translation, ops []operand.Op) {
		t.put("FMOVS", fmt.Sprint("F", numberOf(ops[0])), t.scalar(ops[1]))
	},
	"CMPQ": func(t *translation, ops []operand.Op) { t.put("CMP", t.scalar(ops[1]), t.scalar(ops[0])) },
	"DECQ": func(t *translation, ops []operand.Op) { t.put("SUBS", "$1", t.scalar(ops[0]), t.scalar(ops[0])) },
	"CMOVQGT": func(t *translation, ops []operand.Op) {
		t.put("CSEL", "GT", t.scalar(ops[0]), t.scalar(ops[1]), t.scalar(ops[1]))
	},
	"LEAQ": func(t *translation, ops []operand.Op) {
		m, from, to := ops[0].(operand.Mem), general(addressRegister), t.scalar(ops[1])
		t.place(operand.Mem{Base: m.Base, Index: m.Index, Scale: m.Scale})
		if m.Index == nil {
			from = t.scalar(m.Base)
		}
		t.put("ADD", fmt.Sprint("$", m.Disp), from, to)
	},
}

// like is an instruction of two operands in both.
func like(opcode string) func(*translation, []operand.Op) {
	return func(t *translation, ops []operand.Op) { t.put(opcode, t.scalar(ops[0]), t.scalar(ops[1])) }
}

// updating is one that changes its second operand.
func updating(opcode string) func(*translation, []operand.Op) {
	return func(t *translation, ops []operand.Op) {
		t.put(opcode, t.scalar(ops[0]), t.scalar(ops[1]), t.scalar(ops[1]))
	}
}

func general(number int) string { return fmt.Sprint("R", number) }

func numberOf(r operand.Op) int { return int(r.(reg.Physical).PhysicalIndex()) }

// scalar is a general register, a number, or a place in memory.
func (t *translation) scalar(op operand.Op) string {
	switch op := op.(type) {
	case reg.Register:
		return general(numberOf(op))
	case operand.Mem:
		return t.place(op)
	}
	return op.Asm()
}

// shifted is a register times a power of 2.
func shifted(r reg.Register, by uint8) string {
	return fmt.Sprintf("%s<<%d", general(numberOf(r)), bits.TrailingZeros8(by))
}

// place is a place in memory, with the sum of base and index in a register.
func (t *translation) place(m operand.Mem) string {
	switch {
	case m.Base == reg.FramePointer:
		return m.Asm()
	case m.Base == reg.StaticBase:
		return fmt.Sprintf("%d(%s)", m.Disp, general(tableRegister))
	case m.Index != nil:
		t.put("ADD", shifted(m.Index, m.Scale), t.scalar(m.Base), general(addressRegister))
		return fmt.Sprintf("%d(%s)", m.Disp, general(addressRegister))
	}
	return fmt.Sprintf("%d(%s)", m.Disp, t.scalar(m.Base))
}

// vector is the number of a register with the operand, by a load of so many bits where
// it stands in memory.
func (t *translation) vector(op operand.Op, load string) int {
	m, ok := op.(operand.Mem)
	if !ok {
		return numberOf(op)
	}
	t.put(load, t.place(m), fmt.Sprint("F", vectorRegister))
	return vectorRegister
}
