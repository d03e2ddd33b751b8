package store

import "maps"

// Group summarises the nodes of an experiment for a seed and an attempt.
type Group struct {
	Experiment string
	Seed       uint64
	Attempt    uint64
	Outdated   bool // sampled by a version with other random bits than the store's origin
	Cells      int
	Nodes      int
	Bytes      int64 // size of the nodes
}

// Groups summarises the file by experiment, seed and attempt. It omits pilots, which have no seed.
func (s *Store) Groups() (list []Group) {
	s.mu.Lock()
	defer s.mu.Unlock()
	indexes := map[Group]int{}
	for _, id := range sortIDs(maps.Keys(s.index)) {
		if id.IsPilot() {
			continue
		}
		group := Group{Experiment: id.Experiment(), Seed: id.Seed, Attempt: id.Attempt,
			Outdated: s.origin.IsOutdated(id)}
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
