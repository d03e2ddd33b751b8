package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// vectorOp translates an instruction of AVX to NEON.
type vectorOp struct {
	name  string // name in Go's assembler
	lanes string // arrangement of lanes in Go's assembler, such as S4
	// code is the machine code with the register numbers 0 if Go's assembler does not support the
	// instruction, otherwise 0.
	code      uint32
	translate func(v vectorOp, t *translation, ops []operand.Op)
}

// vectorOps holds the translation of the instructions of AVX by their name. Its last entries are
// instructions that only NEON has, under their names on arm64.
var vectorOps = map[string]vectorOp{
	"VADDPS":   {"VFADD", "S4", 0x4e20d400, emitThree},
	"VSUBPS":   {"VFSUB", "S4", 0x4ea0d400, emitThree},
	"VMULPS":   {"VFMUL", "S4", 0x6e20dc00, emitThree},
	"VDIVPS":   {"VFDIV", "S4", 0x6e20fc00, emitThree},
	"VMAXPS":   {"VFMAX", "S4", 0x4e20f400, emitThree}, // of 0 and −0 the result is 0; on AVX, the second
	"VMINPS":   {"VFMIN", "S4", 0x4ea0f400, emitThree},
	"VADDPD":   {"VFADD", "D2", 0x4e60d400, emitThree},
	"VSUBPD":   {"VFSUB", "D2", 0x4ee0d400, emitThree},
	"VMULPD":   {"VFMUL", "D2", 0x6e60dc00, emitThree},
	"VDIVPD":   {"VFDIV", "D2", 0x6e60fc00, emitThree},
	"VMINPD":   {"VFMIN", "D2", 0x4ee0f400, emitThree},
	"VPADDB":   {"VADD", "B16", 0, emitThree},
	"VPADDD":   {"VADD", "S4", 0, emitThree},
	"VPADDQ":   {"VADD", "D2", 0, emitThree},
	"VPSUBD":   {"VSUB", "S4", 0, emitThree},
	"VPSUBQ":   {"VSUB", "D2", 0, emitThree},
	"VPMULLD":  {"VMUL", "S4", 0x4ea09c00, emitThree},
	"VPMAXUD":  {"VUMAX", "S4", 0, emitThree},
	"VPMINUD":  {"VUMIN", "S4", 0, emitThree},
	"VPAND":    {"VAND", "B16", 0, emitThree},
	"VPOR":     {"VORR", "B16", 0, emitThree},
	"VPXOR":    {"VEOR", "B16", 0, emitThree},
	"VPCMPEQD": {"VCMEQ", "S4", 0, emitThree},
	"VPCMPGTD": {"VCMGT", "S4", 0x4ea03400, emitThree},
	"VPANDN":   {"VBIC", "B16", 0x4e601c00, emitExchanged},
	"VCMPPS":   {"VFCMGT", "S4", 0x6ea0e400, emitCompared(greater)},
	"VCMPPD":   {"VFCMEQ", "D2", 0x4e60e400, emitCompared(equal)},

	"VSQRTPS":   {"VFSQRT", "S4", 0x6ea1f800, emitOne("FMOVQ")},
	"VCVTDQ2PS": {"VSCVTF", "S4", 0x4e21d800, emitOne("FMOVQ")},
	"VCVTPS2PD": {"VFCVTL", "D2", 0x0e617800, emitOne("FMOVD")},

	"VPSLLD": {"VSHL", "S4", 0, emitShift},
	"VPSRLD": {"VUSHR", "S4", 0, emitShift},
	"VPSRAD": {"VSSHR", "S4", 0x4f000400 | 64<<16, emitShift},
	"VPSLLQ": {"VSHL", "D2", 0, emitShift},
	"VPSRLQ": {"VUSHR", "D2", 0, emitShift},

	"VMOVUPS": {translate: emitMove},
	"VMOVUPD": {translate: emitMove},
	"VMOVDQU": {translate: emitMove},
	"VMOVDQA": {translate: emitMove},

	"VBROADCASTSS": {"VDUP", "S", 0, emitRepeat},
	"VPBROADCASTD": {"VDUP", "S", 0, emitRepeat},
	"VMOVDDUP":     {"VDUP", "D", 0, emitRepeat},
	"VMOVHLPS":     {translate: emitUpperHalf},
	"VMOVQ":        {translate: emitFromGeneral},
	"VBLENDVPS":    {translate: emitBlend},
	"VBLENDVPD":    {translate: emitBlend},

	"CMTST":      {"VCMTST", "S4", 0, emitThree},
	"UMINV":      {"VUMINV", "S4", 0x6eb1a800, emitOne("")},
	"CNT":        {"VCNT", "B16", 0, emitOne("")},
	"SRI":        {"VSRI", "S4", 0, emitShift},
	"UADDLP.B16": {"VUADDLP", "B16", 0x6e202800, emitOne("")},
	"UADDLP.H8":  {"VUADDLP", "H8", 0x6e602800, emitOne("")},
	"FMLA":       {"VFMLA", "S4", 0x4f801000, emitByElement},
	"TBL2":       {"VTBL", "B16", 0, emitLookup},
}

func (v vectorOp) emit(t *translation, ops []operand.Op) { v.translate(v, t, ops) }

// emitRegisters adds the instruction with two or three registers in the order of Go's assembler,
// which has the result last. prefix holds the operands before the registers, or is empty. The
// fields of the registers in the machine code begin at bits 16, 5 and 0.
func (v vectorOp) emitRegisters(t *translation, code uint32, prefix string, registers ...int) {
	shifts := []uint{16, 5, 0}[3-len(registers):]
	line := prefix
	for i, r := range registers {
		code |= uint32(r) << shifts[i]
		if line != "" {
			line += ", "
		}
		line += fmt.Sprintf("V%d.%s", r, v.lanes)
	}
	if v.code == 0 {
		t.emit(v.name, line)
		return
	}
	t.emit("WORD", fmt.Sprintf("$%#08x // %s %s", code, v.name, line))
}

// emitThree translates an instruction with three registers.
func emitThree(v vectorOp, t *translation, ops []operand.Op) {
	v.emitRegisters(t, v.code, "", t.loadVector(ops[0], "FMOVQ"), registerNumber(ops[1]), registerNumber(ops[2]))
}

// emitExchanged translates an instruction whose first two operands are in the other order on NEON.
func emitExchanged(v vectorOp, t *translation, ops []operand.Op) {
	v.emitRegisters(t, v.code, "", registerNumber(ops[1]), registerNumber(ops[0]), registerNumber(ops[2]))
}

// emitCompared returns the translation of a comparison, which supports only the given predicate.
func emitCompared(predicate uint8) func(vectorOp, *translation, []operand.Op) {
	return func(v vectorOp, t *translation, ops []operand.Op) {
		if ops[0] != operand.U8(predicate) {
			panic("unsupported predicate of a comparison")
		}
		emitThree(v, t, ops[1:])
	}
}

// emitOne returns the translation of an instruction with one source operand. If the operand is in
// memory, the instruction load loads it first.
func emitOne(load string) func(vectorOp, *translation, []operand.Op) {
	return func(v vectorOp, t *translation, ops []operand.Op) {
		v.emitRegisters(t, v.code, "", t.loadVector(ops[0], load), registerNumber(ops[1]))
	}
}

// emitShift translates a shift. Only right shifts may have a machine code: it is v.code minus the
// number of bits, shifted to bit 16. Go's assembler supports all left shifts.
func emitShift(v vectorOp, t *translation, ops []operand.Op) {
	count := uint32(ops[0].(operand.U8))
	v.emitRegisters(t, v.code-count<<16, fmt.Sprint("$", count), registerNumber(ops[1]), registerNumber(ops[2]))
}

// emitByElement translates sum += factor[element]·key, in every lane of the registers key and sum.
func emitByElement(v vectorOp, t *translation, ops []operand.Op) {
	element := uint32(ops[0].(operand.U8))
	factor, key, sum := registerNumber(ops[1]), registerNumber(ops[2]), registerNumber(ops[3])
	code := v.code | uint32(factor)<<16 | element&1<<21 | element>>1<<11
	v.emitRegisters(t, code, fmt.Sprintf("V%d.S[%d]", factor, element), key, sum)
}

// emitLookup translates a look-up of bytes in a table of two registers, low and high.
func emitLookup(v vectorOp, t *translation, ops []operand.Op) {
	index, low := registerNumber(ops[0]), registerNumber(ops[1])
	high, dst := registerNumber(ops[2]), registerNumber(ops[3])
	t.emit(v.name, fmt.Sprintf("V%d.B16, [V%d.B16, V%d.B16], V%d.B16", index, low, high, dst))
}

func emitMove(_ vectorOp, t *translation, ops []operand.Op) {
	source, isLoad := ops[0].(operand.Mem)
	target, isStore := ops[1].(operand.Mem)
	switch {
	case isLoad:
		t.emit("FMOVQ", t.formatAddress(source), fmt.Sprint("F", registerNumber(ops[1])))
	case isStore:
		t.emit("FMOVQ", fmt.Sprint("F", registerNumber(ops[0])), t.formatAddress(target))
	default:
		t.emitCopy(registerNumber(ops[0]), registerNumber(ops[1]))
	}
}

func (t *translation) emitCopy(source, target int) {
	if source != target {
		t.emit("VORR", fmt.Sprintf("V%d.B16, V%d.B16, V%d.B16", source, source, target))
	}
}

// emitRepeat translates an instruction that copies the first element to all lanes.
func emitRepeat(v vectorOp, t *translation, ops []operand.Op) {
	source := t.loadVector(ops[0], "FMOV"+v.lanes)
	allLanes := "S4"
	if v.lanes == "D" {
		allLanes = "D2"
	}
	t.emit(v.name, fmt.Sprintf("V%d.%s[0], V%d.%s", source, v.lanes, registerNumber(ops[1]), allLanes))
}

// emitUpperHalf translates an instruction that copies the upper half of a register to the lower.
func emitUpperHalf(_ vectorOp, t *translation, ops []operand.Op) {
	t.emit("VDUP", fmt.Sprintf("V%d.D[1], V%d.D2", registerNumber(ops[1]), registerNumber(ops[2])))
}

// emitFromGeneral translates a move from a general register to a vector register.
func emitFromGeneral(_ vectorOp, t *translation, ops []operand.Op) {
	t.emit("FMOVD", t.formatScalar(ops[0]), fmt.Sprint("F", registerNumber(ops[1])))
}

// emitBlend translates an instruction that copies b in lanes where all bits of the mask are set,
// and a in other lanes. NEON has three such instructions; each overwrites a different operand.
func emitBlend(_ vectorOp, t *translation, ops []operand.Op) {
	mask, b, a, dst := registerNumber(ops[0]), registerNumber(ops[1]), registerNumber(ops[2]), registerNumber(ops[3])
	select3 := func(name string, m, n, d int) {
		t.emit(name, fmt.Sprintf("V%d.B16, V%d.B16, V%d.B16", m, n, d))
	}
	switch dst {
	case mask:
		select3("VBSL", a, b, dst)
	case b:
		select3("VBIF", mask, a, dst)
	default:
		t.emitCopy(a, dst)
		select3("VBIT", mask, b, dst)
	}
}
