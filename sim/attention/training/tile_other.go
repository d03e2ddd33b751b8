//go:build !amd64 || noasm

package training

// hasVectors is false, since this build has no assembly. The functions below are then never called;
// they only let their callers compile.
const hasVectors = false

func addTile(*Number, int, int, *Number, int, int, *Number, int, int) {}
func addRow(*Number, int, *Number, int, *Number, int, int)            {}
func descendVectors(*Number, *Number, int, float64)                   {}
func adamVectors(*Number, *Number, *Number, *Number, int, *AdamStep)  {}
