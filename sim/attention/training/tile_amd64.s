//go:build amd64 && !noasm

#include "textflag.h"

// func addTile(dst *Number, cols, terms int, a *Number, aOuter, aInner int, b *Number, bOuter, bInner int)
//
// Two rows of the left factor with four columns of the right one: Y0–Y3 are the sums of
// the first row, Y4–Y7 those of the second. Products are rounded before they are added.
TEXT ·addTile(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ cols+8(FP), SI
	MOVQ terms+16(FP), CX
	MOVQ a+24(FP), AX
	MOVQ aOuter+32(FP), R8
	MOVQ aInner+40(FP), R9
	MOVQ b+48(FP), BX
	MOVQ bOuter+56(FP), R10
	MOVQ bInner+64(FP), R11
	SHLQ $5, SI  // a number of each seed has 32 bytes
	SHLQ $5, R8
	SHLQ $5, R9
	SHLQ $5, R10
	SHLQ $5, R11
	LEAQ (R10)(R10*2), R12
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

term:
	VMOVUPD (AX), Y8
	VMOVUPD (AX)(R8*1), Y9
	VMOVUPD (BX), Y10
	VMOVUPD (BX)(R10*1), Y11
	VMOVUPD (BX)(R10*2), Y12
	VMOVUPD (BX)(R12*1), Y13
	VMULPD  Y8, Y10, Y14
	VMULPD  Y9, Y10, Y15
	VADDPD  Y14, Y0, Y0
	VADDPD  Y15, Y4, Y4
	VMULPD  Y8, Y11, Y14
	VMULPD  Y9, Y11, Y15
	VADDPD  Y14, Y1, Y1
	VADDPD  Y15, Y5, Y5
	VMULPD  Y8, Y12, Y14
	VMULPD  Y9, Y12, Y15
	VADDPD  Y14, Y2, Y2
	VADDPD  Y15, Y6, Y6
	VMULPD  Y8, Y13, Y14
	VMULPD  Y9, Y13, Y15
	VADDPD  Y14, Y3, Y3
	VADDPD  Y15, Y7, Y7
	ADDQ R9, AX
	ADDQ R11, BX
	DECQ CX
	JNZ  term

	VADDPD  (DI), Y0, Y0
	VADDPD  32(DI), Y1, Y1
	VADDPD  64(DI), Y2, Y2
	VADDPD  96(DI), Y3, Y3
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ    SI, DI
	VADDPD  (DI), Y4, Y4
	VADDPD  32(DI), Y5, Y5
	VADDPD  64(DI), Y6, Y6
	VADDPD  96(DI), Y7, Y7
	VMOVUPD Y4, (DI)
	VMOVUPD Y5, 32(DI)
	VMOVUPD Y6, 64(DI)
	VMOVUPD Y7, 96(DI)
	VZEROUPPER
	RET

// func addRow(dst *Number, terms int, a *Number, aInner int, b *Number, bOuter, bInner int)
//
// One row of the left factor with four columns of the right one.
TEXT ·addRow(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ terms+8(FP), CX
	MOVQ a+16(FP), AX
	MOVQ aInner+24(FP), R9
	MOVQ b+32(FP), BX
	MOVQ bOuter+40(FP), R10
	MOVQ bInner+48(FP), R11
	SHLQ $5, R9
	SHLQ $5, R10
	SHLQ $5, R11
	LEAQ (R10)(R10*2), R12
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3

rowterm:
	VMOVUPD (AX), Y8
	VMULPD  (BX), Y8, Y10
	VMULPD  (BX)(R10*1), Y8, Y11
	VMULPD  (BX)(R10*2), Y8, Y12
	VMULPD  (BX)(R12*1), Y8, Y13
	VADDPD  Y10, Y0, Y0
	VADDPD  Y11, Y1, Y1
	VADDPD  Y12, Y2, Y2
	VADDPD  Y13, Y3, Y3
	ADDQ R9, AX
	ADDQ R11, BX
	DECQ CX
	JNZ  rowterm

	VADDPD  (DI), Y0, Y0
	VADDPD  32(DI), Y1, Y1
	VADDPD  64(DI), Y2, Y2
	VADDPD  96(DI), Y3, Y3
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET

// func descendVectors(w, slope *Number, n int, rate float64)
//
// w −= rate·g.
TEXT ·descendVectors(SB), NOSPLIT, $0-32
	MOVQ w+0(FP), DI
	MOVQ gradient+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD rate+24(FP), Y0

descend:
	VMULPD  (SI), Y0, Y1
	VMOVUPD (DI), Y2
	VSUBPD  Y1, Y2, Y2
	VMOVUPD Y2, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  descend
	VZEROUPPER
	RET

// func adamVectors(w, gradient, m, v *Number, n int, step *AdamStep)
//
// m += (1−β₁)(g−m), v = β₂v + (1−β₂)g², w −= size·m/(√v/root + ε).
TEXT ·adamVectors(SB), NOSPLIT, $0-48
	MOVQ w+0(FP), DI
	MOVQ gradient+8(FP), SI
	MOVQ m+16(FP), R8
	MOVQ v+24(FP), R9
	MOVQ n+32(FP), CX
	MOVQ step+40(FP), AX
	VBROADCASTSD (AX), Y0    // 1 − β₁
	VBROADCASTSD 8(AX), Y1   // β₂
	VBROADCASTSD 16(AX), Y2  // 1 − β₂
	VBROADCASTSD 24(AX), Y3  // size
	VBROADCASTSD 32(AX), Y4  // root
	VBROADCASTSD 40(AX), Y5  // ε

adam:
	VMOVUPD (SI), Y6
	VMOVUPD (R8), Y7
	VSUBPD  Y7, Y6, Y8
	VMULPD  Y0, Y8, Y8
	VADDPD  Y8, Y7, Y7
	VMOVUPD Y7, (R8)
	VMULPD  Y6, Y6, Y6
	VMULPD  Y2, Y6, Y6
	VMULPD  (R9), Y1, Y9
	VADDPD  Y6, Y9, Y9
	VMOVUPD Y9, (R9)
	VSQRTPD Y9, Y9
	VDIVPD  Y4, Y9, Y9
	VADDPD  Y5, Y9, Y9
	VMULPD  Y3, Y7, Y7
	VDIVPD  Y9, Y7, Y7
	VMOVUPD (DI), Y8
	VSUBPD  Y7, Y8, Y8
	VMOVUPD Y8, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, R8
	ADDQ $32, R9
	DECQ CX
	JNZ  adam
	VZEROUPPER
	RET
