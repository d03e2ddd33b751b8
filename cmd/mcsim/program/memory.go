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
)

// SetHeap lets the garbage collector run rarely while the heap is smaller than size bytes, and
// often if it is larger. A larger size applies if the schedule has many cells. SetHeap does nothing
// if the environment sets GOMEMLIMIT or GOGC.
func SetHeap(size int64, cells int) {
	const (
		growth       = 400     // percent by which the live heap may grow before a collection
		fewCells     = 10_000  // SamplingHeap suffices for this number of cells
		bytesPerCell = 4 << 10 // for each further cell
	)
	if os.Getenv("GOMEMLIMIT") != "" || os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(growth)
	debug.SetMemoryLimit(max(size, SamplingHeap+bytesPerCell*int64(cells-fewCells)))
}
