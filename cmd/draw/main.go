// Command draw writes the 32-bit words of the generator, little-endian and without end, for
// programs that test random numbers, such as dieharder:
//
//	go run ./cmd/draw -lane 3 | dieharder -a -g 200
//
// They come from block 0 of a cell of their own, the sixteen lanes in turn.
package main

import (
	"flag"
	"fmt"
	"os"

	"mcsim/sim/stream"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the random streams")
	lane := flag.Int("lane", -1, fmt.Sprintf("this lane alone, 0..%d", stream.Width-1))
	first := flag.Bool("first", false, "the first word of every lane of successive blocks")
	flag.Parse()
	order := stream.Interleaved
	switch {
	case flag.NArg() > 0 || *lane >= stream.Width || *lane >= 0 && *first:
		flag.Usage()
		os.Exit(2)
	case *lane >= 0:
		order = stream.OneLane
	case *first:
		order = stream.FirstWords
	}
	if err := stream.WriteBits(os.Stdout, order, *lane, *seed, stream.Forever); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(2)
	}
}
