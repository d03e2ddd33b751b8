package store

import "maps"

// Group is what a file has of an experiment under a seed and an attempt.
type Group struct {
	Experiment string
	Seed       uint64
	Attempt    uint64
	Old        bool // drawn by a version with other random bits than the store's origin has
	Cells      int
	Nodes      int
	Bytes      int64 // of the nodes
}

// Groups sums up the file by experiment, seed and attempt. Pilots have no seed and are left out.
func (s *Store) Groups() (all []Group) {
	s.mu.Lock()
	defer s.mu.Unlock()
	groups := map[Group]int{}
	for _, k := range sorted(maps.Keys(s.index)) {
		if k.IsPilot() {
			continue
		}
		of := Group{Experiment: k.Experiment(), Seed: k.Seed, Attempt: k.Attempt, Old: s.origin.Old(k)}
		i, there := groups[of]
		if !there {
			i, all = len(all), append(all, of)
			groups[of] = i
		}
		all[i].Cells++
		all[i].Nodes += len(s.index[k].spans)
		for _, at := range s.index[k].spans {
			all[i].Bytes += int64(at.length)
		}
	}
	return all
}
