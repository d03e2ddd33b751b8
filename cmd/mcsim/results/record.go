package results

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"time"

	"mcsim/cmd/mcsim/program"
	"mcsim/report/page"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Record is the content of run.json: facts that differ between two runs of the same plan.
type Record struct {
	Results  string    `json:"results"` // digest of the document
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	Host     string    `json:"host"`
	System   string    `json:"system"`
	Cores    int       `json:"cores"`
	Workers  int       `json:"workers"`
	Shards   int       `json:"shards,omitempty"` // number of merged shards
	Kernel   string    `json:"kernel"`
	Go       string    `json:"go"`
	Version  string    `json:"version"`
	Revision string    `json:"revision,omitempty"` // empty if the build did not record it
}

// NewRecord returns the record of a run that ends now, except for the digest of its results.
func NewRecord(started time.Time, workers int) Record {
	version, revision := program.BuildVersion()
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return Record{
		Started:  started.UTC().Truncate(time.Second),
		Seconds:  math.Round(1000*time.Since(started).Seconds()) / 1000,
		Host:     names.Printable(host),
		System:   runtime.GOOS + "/" + runtime.GOARCH,
		Cores:    runtime.NumCPU(),
		Workers:  workers,
		Kernel:   kernel.Name(),
		Go:       runtime.Version(),
		Version:  version,
		Revision: revision,
	}
}

// maxRecordSize is the largest record that ReadRecord accepts, in bytes.
const maxRecordSize = 1 << 20

// ReadRecord reads a record. It returns nil without an error if the file does not exist.
func ReadRecord(path string) (*Record, error) {
	text, err := ReadText(path, maxRecordSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(text) > maxRecordSize {
		return nil, fmt.Errorf("%s is not a record of a run: it has more than %d bytes", path, maxRecordSize)
	}
	var record Record
	if err := result.Unmarshal(text, &record); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := result.CheckText(record); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &record, nil
}

// RunView returns the facts about the run that the site shows. The facts are empty if the document
// has no record. RunView fails if the record belongs to other results.
func (l Location) RunView(doc *result.Document) (page.Run, error) {
	path := l.SiblingPath(RunFile)
	record, err := ReadRecord(path)
	if err != nil || record == nil {
		return page.Run{}, err
	}
	if record.Results != doc.Digest {
		return page.Run{}, fmt.Errorf("%s belongs to other results than %s; run the plan again, or remove it",
			path, DocumentFile)
	}
	return page.Run{
		Version:  record.Version,
		Revision: record.Revision,
		Date:     record.Started,
		Host:     record.Host,
		Shards:   record.Shards,
		WallTime: time.Duration(record.Seconds * float64(time.Second)),
		Go:       record.Go,
	}, nil
}
