package store

import "maps"

// Group is what a file has of an experiment under a seed and an attempt.
type Group struct {
	Experiment string
	Seed       uint64
	Attempt    uint64
	Outdated   bool // drawn by a version with other random bits than the store's origin has
	Cells      int
	Nodes      int
	Bytes      int64 // of the nodes
}

// Groups sums up the file by experiment, seed and attempt. Pilots have no seed and are left out.
func (s *Store) Groups() (list []Group) {
	s.mu.Lock()
	defer s.mu.Unlock()
	indexes := map[Group]int{}
	for _, id := range sortIDs(maps.Keys(s.index)) {
		if id.IsPilot() {
			continue
		}
		group := Group{Experiment: id.Experiment(), Seed: id.Seed, Attempt: id.Attempt, Outdated: s.origin.IsOutdated(id)}
		i, ok := indexes[group]
		if !ok {
			i, list = len(list), append(list, group)
			indexes[group] = i
		}
		list[i].Cells++
		list[i].Nodes += len(s.index[id].spans)
		for _, nodeSpan := range s.index[id].spans {
			list[i].Bytes += int64(nodeSpan.length)
		}
	}
	return list
}
