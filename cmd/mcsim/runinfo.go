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
	"mcsim/sim/kernel"
)

// RunInfo is run.json: what differs between two runs of the same results.
type RunInfo struct {
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	Host     string    `json:"host"`
	System   string    `json:"system"`
	Cores    int       `json:"cores"`
	Workers  int       `json:"workers"`
	Kernel   string    `json:"kernel"`
	Go       string    `json:"go"`
	Version  string    `json:"version"`
	Revision string    `json:"revision"`
}

// runInfo is that of a run which ends now.
func runInfo(begun time.Time, workers int) RunInfo {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	version, revision := buildVersion()
	return RunInfo{
		Started: begun.UTC().Truncate(time.Second), Seconds: math.Round(1000*time.Since(begun).Seconds()) / 1000,
		Host: host, System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Workers: workers,
		Kernel: kernel.Name(), Go: runtime.Version(), Version: version, Revision: revision,
	}
}

// readRun reads run.json for the page on the run; a folder without one is fine.
func readRun(dir string) (view.Run, error) {
	path := filepath.Join(dir, runFile)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return view.Run{}, nil
	}
	if err != nil {
		return view.Run{}, err
	}
	var info RunInfo
	if err := json.Unmarshal(text, &info); err != nil {
		return view.Run{}, fmt.Errorf("%s: %w", path, err)
	}
	return view.Run{Version: info.Version, Revision: info.Revision, Date: info.Started, Host: info.Host,
		Wall: time.Duration(info.Seconds * float64(time.Second)), Go: info.Go}, nil
}
