package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"time"

	"mcsim/report/page"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Record is run.json: what a run leaves beside its results that another run of the same
// plan would not.
type Record struct {
	Results  string    `json:"results"` // digest of the results that the run gave
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	Host     string    `json:"host"`
	System   string    `json:"system"`
	Cores    int       `json:"cores"`
	Workers  int       `json:"workers"`
	Shards   int       `json:"shards,omitempty"` // that the results were merged from
	Kernel   string    `json:"kernel"`
	Go       string    `json:"go"`
	Version  string    `json:"version"`
	Revision string    `json:"revision,omitempty"` // empty: the builder did not stamp it
}

// RecordOf is the record of a run which ends now.
func RecordOf(begun time.Time, workers int) Record {
	version, revision := Build()
	seconds := math.Round(1000*time.Since(begun).Seconds()) / 1000
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return Record{
		Started: begun.UTC().Truncate(time.Second), Seconds: seconds,
		Host: names.Printable(host), System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Workers: workers,
		Kernel: kernel.Name(), Go: runtime.Version(), Version: version, Revision: revision,
	}
}

// maxSize is the largest file that is taken for a record, in bytes.
const maxSize = 1 << 20

// ReadRecord reads a file of that name; nil where there is none.
func ReadRecord(path string) (*Record, error) {
	text, err := Text(path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("%s is no record of a run: it has more than %d bytes", path, maxSize)
	}
	var info Record
	if err := result.Unmarshal(text, &info); err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	if err := result.CheckText(info); err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return &info, nil
}

// Shown is what the page on the run shows of the run of a document: nothing where no file
// has the name, and an error where that is of another document than results has.
func Shown(path, results string, doc *result.Document) (page.Run, error) {
	info, err := ReadRecord(path)
	if err != nil || info == nil {
		return page.Run{}, err
	}
	if info.Results != doc.Digest {
		return page.Run{}, fmt.Errorf("%s is of other results than %s; run the plan again, or remove it", path, results)
	}
	return page.Run{Version: info.Version, Revision: info.Revision, Date: info.Started, Host: info.Host, Shards: info.Shards,
		Wall: time.Duration(info.Seconds * float64(time.Second)), Go: info.Go}, nil
}
