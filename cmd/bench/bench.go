package main

import (
	"context"
	"os"
	"runtime"
	"time"

	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/stream"
)

// Dimension is the d_k at which laws and whole processes are timed.
const Dimension = 512

// Document is all that was compared; missing says what could not run, and why.
type Document struct {
	System    string           `json:"system"`
	Cores     int              `json:"cores"`
	Rounds    int              `json:"rounds"`
	Laws      []LawRatio       `json:"laws,omitempty"`
	Processes []Ratio          `json:"peers,omitempty"`
	Softmax   []SoftmaxRatio   `json:"softmax_peers,omitempty"`
	Products  []ProductRatio   `json:"product_peers,omitempty"`
	Precision []PrecisionRatio `json:"precision_peers,omitempty"`
	Missing   []string         `json:"missing,omitempty"`
}

// Setting is what a comparison needs to know.
type Setting struct {
	Folder     string  // of the peers' programs
	Program    string  // mcsim itself
	Components float64 // that a whole process draws
	Rounds     int
	Measure    Measure // in this process

	kernel string        // the fastest, which Compare sets
	round  time.Duration // how long it runs in one round
}

// kernelRound is how long one law runs in one round, softmax and products four times
// as long.
const kernelRound = 30 * time.Millisecond

// Compare runs mcsim and all peers that can run here.
func Compare(ctx context.Context, s Setting) (*Document, error) {
	doc := &Document{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Rounds: s.Rounds}
	s.kernel, s.round = kernel.Names()[0], kernelRound
	for _, compare := range []func(context.Context, Setting) error{
		doc.compareProcesses, doc.compareLaws, doc.compareSoftmax, doc.compareProducts, doc.comparePrecision,
	} {
		if err := compare(ctx, s); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// compareProcesses compares whole processes with the peers of the folder.
func (doc *Document) compareProcesses(ctx context.Context, s Setting) error {
	temp, err := os.MkdirTemp("", "mcsim-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	peers, missing := findPeers(ctx, s.Folder, temp, kernel.Names())
	doc.Missing = append(doc.Missing, missing...)
	for _, p := range peers {
		r, err := p.compare(ctx, s.Program, s.Components, s.Rounds)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			doc.Missing = append(doc.Missing, err.Error())
			continue
		}
		doc.Processes = append(doc.Processes, r)
	}
	return nil
}

// lawRun returns a run of about the given time, which gives the nanoseconds that
// a component took: one product q_i·k_i with the two variates that it takes.
func lawRun(l law.Law, name string, each time.Duration) func() float64 {
	pairs := kernel.PairsBy(name, l)
	var lanes stream.Lanes
	var scores [stream.Width]float32
	stream.Open(stream.Key{Cell: "bench"}).Block(&lanes, 0)
	return func() float64 {
		return perUnit(each, 8*stream.Width*Dimension, func() {
			for range 8 {
				pairs(&lanes, Dimension, &scores)
			}
		})
	}
}

// perUnit is the nanoseconds that one of the units of a step took, in steps
// for about the given time.
func perUnit(each time.Duration, units float64, step func()) float64 {
	begun, steps := time.Now(), 0
	for time.Since(begun) < each {
		step()
		steps++
	}
	return float64(time.Since(begun).Nanoseconds()) / (units * float64(steps))
}
