// Package store holds the nodes of cells: in a file that a run appends to while it draws,
// so that what was drawn outlives the program, the machine and the plan; or in memory.
//
// A [Key] is all that decides the bits of a cell's nodes. Nodes are found by it, so one file
// serves any plans and seeds: a plan that changes draws only what no plan drew before.
//
// The way of a node (write.go): [Store.Add] merges it with its siblings in memory; [Store.Flush]
// appends what was added to the file as records, each with its checksum (record.go), where
// the end of the program cannot reach them; [Store.Sync] has the disk keep them. [Open] reads
// the records again up to the first that is torn or changed, drops the rest, and says so ([Found]).
// [Store.Compact] writes the file anew, each cell's nodes merged as far as the ladder of samples allows
// (compact.go). It stands on the disk before it takes the place of the old one, so that a loss of power leaves one of
// the two. [Store.Missing] and [Store.Total] are what a run asks (read.go).
//
// One file has one writer: [Open] takes a lock that names its holder and ends with it
// (lock.go).
package store
