//go:build !amd64 || noasm

package training

// vectors says that no vector instructions are known here.
const hasVectors = false

func addTile(*Number, int, int, *Number, int, int, *Number, int, int) {}
func addRow(*Number, int, *Number, int, *Number, int, int)            {}
func descendVectors(*Number, *Number, int, float64)                   {}
func adamVectors(*Number, *Number, *Number, *Number, int, *AdamStep)  {}
