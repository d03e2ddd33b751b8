package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"mcsim/report/view"
	"mcsim/sim/bench"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// RunInfo is run.json: what differs between two runs of the same results.
type RunInfo struct {
	Results  string    `json:"results"` // digest of the results that the run gave
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	Host     string    `json:"host"`
	System   string    `json:"system"`
	Cores    int       `json:"cores"`
	Workers  int       `json:"workers"`
	Kernel   string    `json:"kernel"`
	Go       string    `json:"go"`
	Version  string    `json:"version"`
	Revision string    `json:"revision,omitempty"` // empty: the builder did not stamp it
	// Attention are the times of one head of attention, taken after the run.
	Attention []bench.AttentionTime `json:"attention,omitempty"`
}

// runInfo is that of a run which ends now.
func runInfo(begun time.Time, workers int) RunInfo {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	host = names.Printable(host)
	version, revision := buildVersion()
	return RunInfo{
		Started: begun.UTC().Truncate(time.Second), Seconds: math.Round(1000*time.Since(begun).Seconds()) / 1000,
		Host: host, System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Workers: workers,
		Kernel: kernel.Name(), Go: runtime.Version(), Version: version, Revision: revision,
	}
}

// readRunInfo reads run.json; nil for a folder without one.
func readRunInfo(dir string) (*RunInfo, error) {
	path := filepath.Join(dir, runFile)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var info RunInfo
	if err := json.Unmarshal(text, &info); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := result.CheckText(info); err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return &info, nil
}

// readRun is what the page on the run shows of a document's: nothing in a folder
// without run.json, and an error where that is of another document.
func readRun(dir string, doc *result.Document) (view.Run, error) {
	info, err := readRunInfo(dir)
	if err != nil || info == nil {
		return view.Run{}, err
	}
	if info.Results != doc.Digest {
		return view.Run{}, fmt.Errorf("%s is of other results than %s; run the plan again, or remove it", filepath.Join(dir, runFile), resultsFile)
	}
	return view.Run{Version: info.Version, Revision: info.Revision, Date: info.Started, Host: info.Host,
		Wall: time.Duration(info.Seconds * float64(time.Second)), Go: info.Go, Attention: attentionTimes(info.Attention)}, nil
}

// attentionTimes are recorded times as the page on the run reads them.
func attentionTimes(recorded []bench.AttentionTime) (out []view.AttentionTime) {
	for _, a := range recorded {
		t := view.AttentionTime{Tokens: a.Context, Dimension: a.Key, Operations: a.Operations, Rounds: a.Rounds,
			Seconds: rounds(a.Seconds), Rate: rounds(a.Rate)}
		if a.Growth != nil {
			growth := rounds(*a.Growth)
			t.Growth = &growth
		}
		out = append(out, t)
	}
	return out
}

func rounds(t bench.Times) view.Rounds {
	return view.Rounds{Median: t.Median, Least: t.Min, Most: t.Max}
}
