package view

import "time"

// Run is what is known about the run besides its results. It differs from
// machine to machine, and so appears on one page of its own only. Empty fields
// are left out.
type Run struct {
	Version  string // of mcsim
	Revision string // of its source
	Go       string // version of the toolchain
	Host     string
	Date     time.Time
	Wall     time.Duration // of the sampling
}
