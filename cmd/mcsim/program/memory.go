package program

import (
	"os"
	"runtime/debug"
)

// Heap sizes in bytes below which the garbage collector runs rarely.
const (
	SamplingHeap     = 40 << 20 // resident memory stays near 64 MiB with ten thousand cells
	WideSamplingHeap = 64 << 20 // for nodes with many columns and histograms
	ReportHeap       = 76 << 20 // for the document, the points of a figure, and all files of the site
	VerifyHeap       = 80 << 20 // for the nodes and two documents, of which one is built after the other

	InspectHeap = 640 << 20 // for 512 MiB of compressed arrays, the most that is kept, and a few heads
)

// SetHeap lets the garbage collector run rarely while the heap is smaller than size bytes, and
// often if it is larger. A larger size applies if the schedule has many cells.
func SetHeap(size int64, cells int) {
	const (
		growth       = 400     // percent by which the live heap may grow before a collection
		fewCells     = 10_000  // SamplingHeap suffices for this number of cells
		bytesPerCell = 4 << 10 // for each further cell
	)
	LimitHeap(max(size, SamplingHeap+bytesPerCell*int64(cells-fewCells)), growth)
}

// LimitHeap lets the live heap grow by a percentage before a collection, and lets the garbage
// collector run often if the heap is larger than size bytes. It does nothing if the environment sets
// GOMEMLIMIT or GOGC.
func LimitHeap(size int64, growth int) {
	if os.Getenv("GOMEMLIMIT") == "" && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
		debug.SetMemoryLimit(size)
	}
}
