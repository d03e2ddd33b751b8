package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
)

// readCoefficients returns by name the numbers of the Go file coefficients.go, as bit patterns of
// float32. Thus assembly and portable Go share one source of the coefficients.
func readCoefficients(path string) (map[string]uint32, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	patterns := map[string]uint32{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && err == nil {
			var x float64
			x, err = parseLiteral(spec.Values[0])
			patterns[spec.Names[0].Name] = floatBits(x)
		}
		return err == nil
	})
	return patterns, err
}

func parseLiteral(e ast.Expr) (float64, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return strconv.ParseFloat(e.Value, 32)
	case *ast.UnaryExpr:
		x, err := parseLiteral(e.X)
		return -x, err
	}
	return 0, fmt.Errorf("constant is a %T, not a signed literal", e)
}

func floatBits(x float64) uint32 { return math.Float32bits(float32(x)) }

// derivedConstants returns by name the bit patterns of the constants that are not in
// coefficients.go: constants that portable Go writes in place, and negated coefficients that save
// an instruction.
func derivedConstants(fitted map[string]uint32) map[string]uint32 {
	const sqrtHalf, sign = 0x3f3504f3, 1 << 31
	return map[string]uint32{
		"half":        floatBits(0.5),
		"one":         floatBits(1),
		"minusOne":    floatBits(-1),
		"unit":        floatBits(1.0 / (1 << 31)),
		"tiny":        floatBits(1e-30),
		"minusInf":    0xff800000,
		"sumCut":      floatBits(-41.5),
		"roundInt":    floatBits(1.5 * (1 << 23)),     // x + roundInt is rounded to an integer
		"roundEighth": floatBits(1.5*(1<<20) + 512/8), // rounds to an eighth; loadRoots subtracts the 512

		// minusTwoLog subtracts unit1 if its argument is x, and unit31 if it is 2³¹x. The biased
		// ones are smaller by the bias 127 of the exponent (modulo 2³²), so that the difference has
		// this bias.
		"sqrtHalf":     sqrtHalf,
		"unit1":        sqrtHalf,
		"unit31":       sqrtHalf + 31<<23,
		"unit1Biased":  1<<32 + sqrtHalf - 127<<23,
		"unit31Biased": sqrtHalf - (127-31)<<23,

		"mantissaBits":  0x007fffff,
		"signBit":       sign,
		"magnitudeBits": sign - 1,
		"bit0":          1,
		"bit1":          2,
		"minusBit0":     0xffffffff,
		"bits0to2":      7,
		"four":          0x04040404,
		"inOrder":       0x03020100, // bytes 0, 1, 2, 3
		"evenBits":      0x55555555,
		"nibbles":       0x0f0f0f0f,
		"bytes":         0x01010101,
		"words":         0x00010001,

		"minusCut":     fitted["truncCut"] ^ sign,
		"minusLn2High": fitted["ln2High"] ^ sign,
		"minusLn2Low":  fitted["ln2Low"] ^ sign,
	}
}
