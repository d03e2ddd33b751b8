// Package shard writes what one of many machines drew of a plan to a file, and makes of
// such files what one machine would have drawn: to the bit.
//
// A plan's shards are shares of its schedule ([schedule.ShardRange]): ranges of blocks. A file holds the nodes of one, in
// one form, so that a shard drawn twice has the same bytes (file.go). [Merge] reads files in any order, and of any
// number of shards; it refuses what does not make up the plan, each kind of trouble by a [Kind] of its own
// (merge.go).
package shard
