// Package store holds the nodes of cells: in memory, or in a file that a run appends to while it
// samples, so that samples outlive the process, the machine and the plan.
//
// An [ID] is everything that decides the bits of a cell's nodes. One file serves any plans and
// seeds: a changed plan samples only what no plan sampled before.
//
// [Store.Add] merges a node with its siblings in memory; [Store.Flush] appends the added nodes to
// the file as records, each with its checksum (record.go), where the end of the process cannot lose
// them; [Store.Sync] makes the disk keep them (write.go). [Open] reads the records up to the first
// that is torn or changed, drops the rest, and reports both ([Found]). [Store.Compact] rewrites the
// file with the nodes of each cell merged as far as the grid of sample sizes allows (compact.go).
// The new file is on the disk before it replaces the old one, so a loss of power leaves one of the
// two. A run uses [Store.Missing] and [Store.Total] (read.go).
//
// One file has one writer: [Open] takes a lock that names its holder and ends with it (lock.go).
package store
