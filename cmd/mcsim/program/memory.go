package program

import (
	"os"
	"runtime/debug"
)

// Heap sizes in bytes below which the garbage collector runs rarely.
const (
	SamplingHeap     = 40 << 20 // resident memory stays near 64 MiB with ten thousand cells
	WideSamplingHeap = 64 << 20 // for nodes with many columns and histograms
	ReportHeap       = 76 << 20 // for the document, the points of a figure, and all files
	VerifyHeap       = 80 << 20 // for two documents, one after the other, and the nodes
)

// SetHeap lets the garbage collector run rarely while the heap is smaller than size, and often if
// it is larger. Many cells raise the size. GOMEMLIMIT and GOGC in the environment take precedence.
func SetHeap(size int64, cells int) {
	const (
		growth       = 400 // percent of the live heap between collections
		fewCells     = 10_000
		bytesPerCell = 4 << 10
	)
	if os.Getenv("GOMEMLIMIT") != "" || os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(growth)
	debug.SetMemoryLimit(max(size, SamplingHeap+bytesPerCell*int64(cells-fewCells)))
}
