package floor

import (
	"math"

	"mcsim/sim/experiment/precision"
	"mcsim/sim/names"
)

// Format stores a number x of a tensor as scale·round(x/scale).
type Format struct {
	Name    string
	element *precision.Format
	block   int // consecutive numbers of a row of the tensor that share a scale; 0 means the whole tensor
	scaling scaling
}

// scaling says how a scale follows from the largest magnitude, amax.
type scaling int

const (
	unscaled   scaling = iota
	fullRange          // amax/Max, in float32
	powerOfTwo         // 2^(⌊log2 amax⌋ − emax) in e8m0, where emax is the exponent of Max
	twoLevels          // amax/Max in e4m3, in units of a float32 scale of the tensor
)

// Formats lists the formats. NVFP4 is as NVIDIA defines it (Pretraining Large Language Models with
// NVFP4, arXiv:2509.25149, 2025). MXFP8 and MXFP4 are as the OCP Microscaling Formats (MX)
// Specification, version 1.0 of 2023, defines them, with its conversion, in which elements
// saturate. Blocks of 128 are the tiles of DeepSeek-V3 (arXiv:2412.19437, 2024).
var Formats = []*Format{
	{names.FormatNVFP4, precision.E2M1, 16, twoLevels},
	{names.FormatMXFP4, precision.E2M1, 32, powerOfTwo},
	{names.FormatMXFP8, e4m3, 32, powerOfTwo},
	{names.FormatE4M3Tensor, e4m3, 0, fullRange},
	{names.FormatE4M3Block, e4m3, 128, fullRange},
	{names.FormatInt8Tensor, precision.Int8, 0, fullRange},
	{names.FormatInt8Block, precision.Int8, 128, fullRange},
	{names.FormatBFloat16, precision.Lookup(names.FormatBFloat16), 0, unscaled},
	{names.FormatFloat16, precision.Lookup(names.FormatFloat16), 0, unscaled},
}

var e4m3 = precision.Lookup(names.FormatE4M3Saturating)

// Names returns the names of the formats.
func Names() []string { return names.Map(Formats, func(f *Format) string { return f.Name }) }

// Lookup returns the format with the given name, or nil if it is unknown.
func Lookup(name string) *Format {
	for _, f := range Formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// scale returns the scale of numbers with the largest magnitude amax > 0, in a tensor with the
// largest magnitude tensorMax. It is 0 if all of them are too small for the tensor's scales.
func (f *Format) scale(amax, tensorMax float64) float64 {
	switch f.scaling {
	case fullRange:
		return float64(float32(amax / f.element.Max))
	case powerOfTwo:
		_, exponent := math.Frexp(amax)
		_, maxExponent := math.Frexp(f.element.Max)
		return math.Ldexp(1, max(-127, min(exponent-maxExponent, 127)))
	case twoLevels:
		unit := float64(float32(tensorMax / (f.element.Max * e4m3.Max)))
		return float64(unit * e4m3.Round(amax/f.element.Max/unit))
	}
	return 1
}

// store returns the numbers of a tensor as the format stores them. Its rows have the given length,
// and a block does not extend beyond a row. A nil format stores float64.
func (f *Format) store(tensor []float64, length int) []float64 {
	if f == nil {
		return tensor
	}
	stored, block, tensorMax := make([]float64, len(tensor)), f.block, 0.0
	if block == 0 {
		block, length = len(tensor), len(tensor)
	}
	if f.scaling == twoLevels {
		tensorMax = maxMagnitude(tensor)
	}
	for first := 0; first < len(tensor); {
		end := min(first+block, (first/length+1)*length)
		numbers := tensor[first:end]
		scale := f.scale(maxMagnitude(numbers), tensorMax)
		if scale > 0 { // else all of them are stored as 0
			for i, x := range numbers {
				stored[first+i] = float64(scale * f.element.Round(x/scale))
			}
		}
		first = end
	}
	return stored
}

// maxMagnitude returns the largest magnitude of the numbers.
func maxMagnitude(numbers []float64) (largest float64) {
	for _, x := range numbers {
		if magnitude := math.Abs(x); magnitude > largest { // faster than max
			largest = magnitude
		}
	}
	return largest
}
