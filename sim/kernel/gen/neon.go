package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// vectorOp is what an instruction becomes: one of NEON, by its name and the arrangement
// of its lanes in Go's assembler, and by its code, with registers 0, where that
// assembler does not know it.
type vectorOp struct {
	name, lanes string
	code        uint32
	how         func(v vectorOp, t *translation, ops []operand.Op)
}

// vectorOps has those of AVX and, behind them, NEON's own, which are named as they are.
var vectorOps = map[string]vectorOp{
	"VADDPS":   {"VFADD", "S4", 0x4e20d400, three},
	"VSUBPS":   {"VFSUB", "S4", 0x4ea0d400, three},
	"VMULPS":   {"VFMUL", "S4", 0x6e20dc00, three},
	"VDIVPS":   {"VFDIV", "S4", 0x6e20fc00, three},
	"VMAXPS":   {"VFMAX", "S4", 0x4e20f400, three}, // of 0 and −0 it takes 0, where AVX takes the second
	"VMINPS":   {"VFMIN", "S4", 0x4ea0f400, three},
	"VADDPD":   {"VFADD", "D2", 0x4e60d400, three},
	"VSUBPD":   {"VFSUB", "D2", 0x4ee0d400, three},
	"VMULPD":   {"VFMUL", "D2", 0x6e60dc00, three},
	"VDIVPD":   {"VFDIV", "D2", 0x6e60fc00, three},
	"VMINPD":   {"VFMIN", "D2", 0x4ee0f400, three},
	"VPADDB":   {"VADD", "B16", 0, three},
	"VPADDD":   {"VADD", "S4", 0, three},
	"VPADDQ":   {"VADD", "D2", 0, three},
	"VPSUBD":   {"VSUB", "S4", 0, three},
	"VPSUBQ":   {"VSUB", "D2", 0, three},
	"VPMULLD":  {"VMUL", "S4", 0x4ea09c00, three},
	"VPMAXUD":  {"VUMAX", "S4", 0, three},
	"VPMINUD":  {"VUMIN", "S4", 0, three},
	"VPAND":    {"VAND", "B16", 0, three},
	"VPOR":     {"VORR", "B16", 0, three},
	"VPXOR":    {"VEOR", "B16", 0, three},
	"VPCMPEQD": {"VCMEQ", "S4", 0, three},
	"VPCMPGTD": {"VCMGT", "S4", 0x4ea03400, three},
	"VPANDN":   {"VBIC", "B16", 0x4e601c00, exchanged},
	"VCMPPS":   {"VFCMGT", "S4", 0x6ea0e400, compared(greater)},
	"VCMPPD":   {"VFCMEQ", "D2", 0x4e60e400, compared(equal)},

	"VSQRTPS":   {"VFSQRT", "S4", 0x6ea1f800, one("FMOVQ")},
	"VCVTDQ2PS": {"VSCVTF", "S4", 0x4e21d800, one("FMOVQ")},
	"VCVTPS2PD": {"VFCVTL", "D2", 0x0e617800, one("FMOVD")},

	"VPSLLD": {"VSHL", "S4", 0, shiftedBy},
	"VPSRLD": {"VUSHR", "S4", 0, shiftedBy},
	"VPSRAD": {"VSSHR", "S4", 0x4f000400 | 64<<16, shiftedBy},
	"VPSLLQ": {"VSHL", "D2", 0, shiftedBy},
	"VPSRLQ": {"VUSHR", "D2", 0, shiftedBy},

	"VMOVUPS": {how: move},
	"VMOVUPD": {how: move},
	"VMOVDQU": {how: move},
	"VMOVDQA": {how: move},

	"VBROADCASTSS": {"VDUP", "S", 0, repeated},
	"VPBROADCASTD": {"VDUP", "S", 0, repeated},
	"VMOVDDUP":     {"VDUP", "D", 0, repeated},
	"VMOVHLPS":     {how: upperHalf},
	"VMOVQ":        {how: fromGeneral},
	"VBLENDVPS":    {how: blend},
	"VBLENDVPD":    {how: blend},

	"CMTST":      {"VCMTST", "S4", 0, three},
	"UMINV":      {"VUMINV", "S4", 0x6eb1a800, one("")},
	"CNT":        {"VCNT", "B16", 0, one("")},
	"SRI":        {"VSRI", "S4", 0, shiftedBy},
	"UADDLP.B16": {"VUADDLP", "B16", 0x6e202800, one("")},
	"UADDLP.H8":  {"VUADDLP", "H8", 0x6e602800, one("")},
	"FMLA":       {"VFMLA", "S4", 0x4f801000, byElement},
	"TBL2":       {"VTBL", "B16", 0, lookedUp},
}

func (v vectorOp) emit(t *translation, ops []operand.Op) { v.how(v, t, ops) }

// put adds the instruction of registers m, n and d, in the order of Go's assembler, the
// result last; before them stands what else it has.
func (v vectorOp) put(t *translation, code uint32, before string, registers ...int) {
	places := []uint{16, 5, 0}[3-len(registers):]
	line := before
	for i, r := range registers {
		code |= uint32(r) << places[i]
		if line != "" {
			line += ", "
		}
		line += fmt.Sprintf("V%d.%s", r, v.lanes)
	}
	if v.code == 0 {
		t.put(v.name, line)
		return
	}
	t.put("WORD", fmt.Sprintf("$%#08x // %s %s", code, v.name, line))
}

func three(v vectorOp, t *translation, ops []operand.Op) {
	v.put(t, v.code, "", t.vector(ops[0], "FMOVQ"), numberOf(ops[1]), numberOf(ops[2]))
}

func exchanged(v vectorOp, t *translation, ops []operand.Op) {
	v.put(t, v.code, "", numberOf(ops[1]), numberOf(ops[0]), numberOf(ops[2]))
}

// compared has one predicate.
func compared(predicate uint8) func(vectorOp, *translation, []operand.Op) {
	return func(v vectorOp, t *translation, ops []operand.Op) {
		if ops[0] != operand.U8(predicate) {
			panic("a comparison of another predicate")
		}
		three(v, t, ops[1:])
	}
}

// one has one operand, which a load may bring.
func one(load string) func(vectorOp, *translation, []operand.Op) {
	return func(v vectorOp, t *translation, ops []operand.Op) {
		v.put(t, v.code, "", t.vector(ops[0], load), numberOf(ops[1]))
	}
}

// shiftedBy takes the number of bits off the code, as right shifts are encoded; the
// assembler knows all left ones.
func shiftedBy(v vectorOp, t *translation, ops []operand.Op) {
	by := uint32(ops[0].(operand.U8))
	v.put(t, v.code-by<<16, fmt.Sprint("$", by), numberOf(ops[1]), numberOf(ops[2]))
}

// byElement multiplies by one element of the first register.
func byElement(v vectorOp, t *translation, ops []operand.Op) {
	element, by, key, sum := uint32(ops[0].(operand.U8)), numberOf(ops[1]), numberOf(ops[2]), numberOf(ops[3])
	code := v.code | uint32(by)<<16 | element&1<<21 | element>>1<<11
	v.put(t, code, fmt.Sprintf("V%d.S[%d]", by, element), key, sum)
}

// lookedUp takes bytes of a table of two registers.
func lookedUp(v vectorOp, t *translation, ops []operand.Op) {
	index, low, high, out := numberOf(ops[0]), numberOf(ops[1]), numberOf(ops[2]), numberOf(ops[3])
	t.put(v.name, fmt.Sprintf("V%d.B16, [V%d.B16, V%d.B16], V%d.B16", index, low, high, out))
}

func move(_ vectorOp, t *translation, ops []operand.Op) {
	from, loads := ops[0].(operand.Mem)
	to, stores := ops[1].(operand.Mem)
	switch {
	case loads:
		t.put("FMOVQ", t.place(from), fmt.Sprint("F", numberOf(ops[1])))
	case stores:
		t.put("FMOVQ", fmt.Sprint("F", numberOf(ops[0])), t.place(to))
	default:
		t.copy(numberOf(ops[0]), numberOf(ops[1]))
	}
}

func (t *translation) copy(from, to int) {
	if from != to {
		t.put("VORR", fmt.Sprintf("V%d.B16, V%d.B16, V%d.B16", from, from, to))
	}
}

// repeated spreads the first element.
func repeated(v vectorOp, t *translation, ops []operand.Op) {
	from := t.vector(ops[0], "FMOV"+v.lanes)
	t.put(v.name, fmt.Sprintf("V%d.%s[0], V%d.%s", from, v.lanes, numberOf(ops[1]),
		map[string]string{"S": "S4", "D": "D2"}[v.lanes]))
}

func upperHalf(_ vectorOp, t *translation, ops []operand.Op) {
	t.put("VDUP", fmt.Sprintf("V%d.D[1], V%d.D2", numberOf(ops[1]), numberOf(ops[2])))
}

func fromGeneral(_ vectorOp, t *translation, ops []operand.Op) {
	t.put("FMOVD", t.scalar(ops[0]), fmt.Sprint("F", numberOf(ops[1])))
}

// blend takes b where a mask of all bits or none is set, else a.
func blend(_ vectorOp, t *translation, ops []operand.Op) {
	mask, b, a, out := numberOf(ops[0]), numberOf(ops[1]), numberOf(ops[2]), numberOf(ops[3])
	select3 := func(name string, m, n, d int) {
		t.put(name, fmt.Sprintf("V%d.B16, V%d.B16, V%d.B16", m, n, d))
	}
	switch out {
	case mask:
		select3("VBSL", a, b, out)
	case b:
		select3("VBIF", mask, a, out)
	default:
		t.copy(a, out)
		select3("VBIT", mask, b, out)
	}
}
