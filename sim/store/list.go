package store

import "maps"

// Stock is what a file has of one cell.
type Stock struct {
	Key
	Nodes  int
	Blocks int64 // from the first on, without a gap
	Bytes  int64 // of its nodes
	Old    bool  // drawn by a version with other random bits than the store's origin has
}

// List is what the file has, in the order of keys.
func (s *Store) List() (all []Stock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range sorted(maps.Keys(s.held)) {
		h := s.held[k]
		line := Stock{Key: k, Nodes: len(h.spans), Old: s.origin.Old(k)}
		for _, at := range h.places() {
			if at.First() <= line.Blocks {
				line.Blocks = max(line.Blocks, at.End())
			}
			line.Bytes += int64(h.spans[at].length)
		}
		all = append(all, line)
	}
	return all
}

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
	groups := map[Group]int{}
	for _, l := range list {
		if l.IsPilot() {
			continue
		}
		of := Group{Experiment: l.Experiment(), Seed: l.Seed, Attempt: l.Attempt, Old: l.Old}
		i, there := groups[of]
		if !there {
			i, all = len(all), append(all, of)
			groups[of] = i
		}
		all[i].Cells++
		all[i].Nodes += l.Nodes
		all[i].Bytes += l.Bytes
	}
	return all
}
