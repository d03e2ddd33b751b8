package store

import (
	"maps"
	"slices"
)

// Stock is what a file has of one cell.
type Stock struct {
	Key
	Nodes  int
	Blocks int64 // from the first on, without a gap
	Bytes  int64 // of its nodes
	Old    bool  // drawn by a version with other random bits than the given draws
}

// List is what the file has, in the order of keys. Draws are the versions of draws, by experiment, of a program whose
// nodes are not old.
func (s *Store) List(kernel int, draws map[string]string) (all []Stock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.sorted(maps.Keys(s.held)) {
		h := s.held[k]
		line := Stock{Key: k, Nodes: len(h.places), Old: k.old(kernel, draws)}
		for i, at := range h.places {
			if at.First() <= line.Blocks {
				line.Blocks = max(line.Blocks, at.End())
			}
			line.Bytes += int64(h.spans[i].length)
		}
		all = append(all, line)
	}
	return all
}

// old reports whether nodes of the key are of no use to a program of that kernel and those draws.
func (k Key) old(kernel int, draws map[string]string) bool {
	return k.Kernel != kernel || k.Draw != draws[k.Experiment()]
}

// Old says of a key whether its nodes are of no use to a program of that kernel and those draws.
func Old(kernel int, draws map[string]string) func(Key) bool {
	return func(k Key) bool { return k.old(kernel, draws) }
}

// Pilot reports whether it is the pilot of a cell, which no seed decides.
func (l Stock) Pilot() bool { return l.IsPilot() }

// Group is what a file has of an experiment under a seed and an attempt.
type Group struct {
	Experiment string `json:"experiment"`
	Seed       uint64 `json:"seed"`
	Attempt    uint64 `json:"attempt"`
	Old        bool   `json:"outdated"` // drawn by a version with other random bits
	Cells      int    `json:"cells"`
	Nodes      int    `json:"nodes"`
	Bytes      int64  `json:"bytes"`
}

// Grouped adds up what a file has by experiment, seed and attempt, without pilots, which are of no seed.
func Grouped(list []Stock) (all []Group) {
	for _, l := range list {
		if l.Pilot() {
			continue
		}
		g := Group{Experiment: l.Experiment(), Seed: l.Seed, Attempt: l.Attempt, Old: l.Old}
		i := slices.IndexFunc(all, func(o Group) bool {
			return o.Experiment == g.Experiment && o.Seed == g.Seed && o.Attempt == g.Attempt && o.Old == g.Old
		})
		if i < 0 {
			i, all = len(all), append(all, g)
		}
		all[i].Cells++
		all[i].Nodes += l.Nodes
		all[i].Bytes += l.Bytes
	}
	return all
}
