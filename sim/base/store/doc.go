// Package store holds the nodes of cells, in memory or in a file. A run appends to the file while
// it samples, so that later runs can use the samples.
//
// An [ID] has everything that decides the bits of a cell's nodes. One file can have the nodes of
// several plans and seeds: a changed plan samples only what no plan sampled before.
//
// [Store.Add] merges a node with its siblings in memory. [Store.Flush] appends the added nodes to
// the file as records with checksums (record.go); the nodes are then safe if the process ends.
// After [Store.Sync] they are also safe if the machine stops (write.go). [Open] reads the records
// up to the first that is incomplete or changed, drops the rest, and reports both ([Found]).
// [Store.Compact] rewrites the file with the nodes of each cell merged as far as the grid of sample
// sizes allows (compact.go). The new file is on the disk before it replaces the old one, so that
// one of them is left after a loss of power. A run reads nodes by [Store.Missing] and [Store.Total]
// (read.go).
//
// A file has only one writer: [Open] takes a lock. The lock's file names the process that has the
// lock, and the lock ends with this process (lock.go).
package store
