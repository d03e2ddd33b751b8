package program

import (
	"os"
	"runtime/debug"
)

// Heap sizes in bytes up to which the garbage collector seldom runs.
const (
	SamplingHeap     = 40 << 20 // even ten thousand cells stay near 64 MiB
	WideSamplingHeap = 64 << 20 // for nodes of many columns, with their histograms
	ReportHeap       = 76 << 20 // for the document, the points of a figure, and all files
	VerifyHeap       = 80 << 20 // for two documents, one after the other, and the nodes
)

// SetHeap lets the garbage collector run seldom while the heap is smaller than size, and
// often above it. A large number of cells raises the size. GOMEMLIMIT or GOGC in the environment
// override it.
func SetHeap(size int64, cells int) {
	const (
		growth       = 400 // percent that may be added to the live heap between collections
		fewCells     = 10_000
		bytesPerCell = 4 << 10
	)
	if os.Getenv("GOMEMLIMIT") != "" || os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(growth)
	debug.SetMemoryLimit(max(size, SamplingHeap+bytesPerCell*int64(cells-fewCells)))
}
