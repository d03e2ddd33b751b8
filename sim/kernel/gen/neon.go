package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// vectorOp translates an instruction to NEON: the name and the arrangement of lanes in Go's
// assembler, and the code with registers 0 if that assembler does not support the instruction.
type vectorOp struct {
	name, lanes string
	code        uint32
	translate   func(v vectorOp, t *translation, ops []operand.Op)
}

// vectorOps has the instructions of AVX and, after them, those of NEON under their own names.
var vectorOps = map[string]vectorOp{
	"VADDPS":   {"VFADD", "S4", 0x4e20d400, emitThree},
	"VSUBPS":   {"VFSUB", "S4", 0x4ea0d400, emitThree},
	"VMULPS":   {"VFMUL", "S4", 0x6e20dc00, emitThree},
	"VDIVPS":   {"VFDIV", "S4", 0x6e20fc00, emitThree},
	"VMAXPS":   {"VFMAX", "S4", 0x4e20f400, emitThree}, // takes 0 of 0 and −0; AVX takes the second
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

// emitRegisters adds the instruction with registers m, n and d, in the order of Go's assembler,
// with the result last. prefix has its other operands.
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

func emitThree(v vectorOp, t *translation, ops []operand.Op) {
	v.emitRegisters(t, v.code, "", t.loadVector(ops[0], "FMOVQ"), registerNumber(ops[1]), registerNumber(ops[2]))
}

func emitExchanged(v vectorOp, t *translation, ops []operand.Op) {
	v.emitRegisters(t, v.code, "", registerNumber(ops[1]), registerNumber(ops[0]), registerNumber(ops[2]))
}

// emitCompared translates a comparison with only one predicate.
func emitCompared(predicate uint8) func(vectorOp, *translation, []operand.Op) {
	return func(v vectorOp, t *translation, ops []operand.Op) {
		if ops[0] != operand.U8(predicate) {
			panic("unsupported predicate of a comparison")
		}
		emitThree(v, t, ops[1:])
	}
}

// emitOne translates an instruction with one operand, which the given instruction loads if it is
// in memory.
func emitOne(load string) func(vectorOp, *translation, []operand.Op) {
	return func(v vectorOp, t *translation, ops []operand.Op) {
		v.emitRegisters(t, v.code, "", t.loadVector(ops[0], load), registerNumber(ops[1]))
	}
}

// emitShift subtracts the number of bits from the code, as right shifts are encoded. Go's
// assembler supports all left shifts.
func emitShift(v vectorOp, t *translation, ops []operand.Op) {
	count := uint32(ops[0].(operand.U8))
	v.emitRegisters(t, v.code-count<<16, fmt.Sprint("$", count), registerNumber(ops[1]), registerNumber(ops[2]))
}

// emitByElement multiplies by one element of the first register.
func emitByElement(v vectorOp, t *translation, ops []operand.Op) {
	element, factor, key, sum := uint32(ops[0].(operand.U8)), registerNumber(ops[1]), registerNumber(ops[2]),
		registerNumber(ops[3])
	code := v.code | uint32(factor)<<16 | element&1<<21 | element>>1<<11
	v.emitRegisters(t, code, fmt.Sprintf("V%d.S[%d]", factor, element), key, sum)
}

// emitLookup looks up bytes in a table of two registers.
func emitLookup(v vectorOp, t *translation, ops []operand.Op) {
	index, low, high, out := registerNumber(ops[0]), registerNumber(ops[1]), registerNumber(ops[2]),
		registerNumber(ops[3])
	t.emit(v.name, fmt.Sprintf("V%d.B16, [V%d.B16, V%d.B16], V%d.B16", index, low, high, out))
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

// emitRepeat broadcasts the first element.
func emitRepeat(v vectorOp, t *translation, ops []operand.Op) {
	source := t.loadVector(ops[0], "FMOV"+v.lanes)
	t.emit(v.name, fmt.Sprintf("V%d.%s[0], V%d.%s", source, v.lanes, registerNumber(ops[1]),
		map[string]string{"S": "S4", "D": "D2"}[v.lanes]))
}

func emitUpperHalf(_ vectorOp, t *translation, ops []operand.Op) {
	t.emit("VDUP", fmt.Sprintf("V%d.D[1], V%d.D2", registerNumber(ops[1]), registerNumber(ops[2])))
}

func emitFromGeneral(_ vectorOp, t *translation, ops []operand.Op) {
	t.emit("FMOVD", t.formatScalar(ops[0]), fmt.Sprint("F", registerNumber(ops[1])))
}

// emitBlend takes b in lanes where all bits of the mask are set, and a in others.
func emitBlend(_ vectorOp, t *translation, ops []operand.Op) {
	mask, b, a, out := registerNumber(ops[0]), registerNumber(ops[1]), registerNumber(ops[2]), registerNumber(ops[3])
	select3 := func(name string, m, n, d int) {
		t.emit(name, fmt.Sprintf("V%d.B16, V%d.B16, V%d.B16", m, n, d))
	}
	switch out {
	case mask:
		select3("VBSL", a, b, out)
	case b:
		select3("VBIF", mask, a, out)
	default:
		t.emitCopy(a, out)
		select3("VBIT", mask, b, out)
	}
}
