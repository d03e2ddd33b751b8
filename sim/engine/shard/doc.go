// Package shard writes the samples of one of several machines to a file, and merges such files into
// exactly the samples that one machine would have.
//
// A shard is a range of the blocks of a schedule ([schedule.ShardRange]). A file holds the nodes of
// one shard in a canonical form, so that a shard that is sampled twice has the same bytes
// (file.go). [Merge] reads the files of any number of shards in any order (merge.go). It returns an
// [Error] if they do not make up the plan; its [Kind] tells why.
package shard
