package stream

import "testing"

// Each part of the key and of the counter changes every lane. Two of the
// 16·k lanes that are compared here agree by chance with probability below
// (16·k)²/2¹²⁹.
func TestStreamsApart(t *testing.T) {
	at := func(k Key, block, use uint64) Lanes {
		var l Lanes
		Open(k).seedLanes(&l, block, use)
		return l
	}
	streams := map[string]Lanes{
		"first":                  at(Key{Seed: 1, Cell: "a"}, 0, useLanes),
		"seed":                   at(Key{Seed: 2, Cell: "a"}, 0, useLanes),
		"high bit of the seed":   at(Key{Seed: 1 | 1<<63, Cell: "a"}, 0, useLanes),
		"cell":                   at(Key{Seed: 1, Cell: "b"}, 0, useLanes),
		"longer cell":            at(Key{Seed: 1, Cell: "aa"}, 0, useLanes),
		"attempt":                at(Key{Seed: 1, Cell: "a", Attempt: 1}, 0, useLanes),
		"block":                  at(Key{Seed: 1, Cell: "a"}, 1, useLanes),
		"high bit of the block":  at(Key{Seed: 1, Cell: "a"}, 1<<63, useLanes),
		"block that is not lane": at(Key{Seed: 1, Cell: "a"}, 15, useLanes),
		"use":                    at(Key{Seed: 1, Cell: "a"}, 0, useSource),
		"use and attempt":        at(Key{Seed: 1, Cell: "a", Attempt: 1}, 0, useSource),
	}
	seen := map[Lane]string{}
	for name, lanes := range streams {
		for i := range Width {
			if other, ok := seen[lanes.Lane(i)]; ok {
				t.Errorf("a lane of %q has the state of one of %q", name, other)
			}
			seen[lanes.Lane(i)] = name
		}
	}
}
