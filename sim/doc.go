// Package sim is the whole way from a plan to a judged document: [Run] and
// [Verify]. What it is made of lies below, in the order of the data.
//
//   - A plan is read by [mcsim/sim/plan]: experiments, their grids, the seed, the
//     tolerance and the error rates. What an experiment is made of stands in
//     [mcsim/sim/experiment].
//   - [mcsim/sim/schedule] works it out: how many samples each cell needs so that
//     its gates err no more often than declared.
//   - [mcsim/sim/run] draws blocks of a cell, each from a random stream of its own
//     ([mcsim/sim/stream]), with the components of a law ([mcsim/sim/law]) made by
//     vector instructions or by portable Go with the same bits ([mcsim/sim/kernel]).
//   - Blocks become mergeable sums ([mcsim/sim/moments]), which [mcsim/sim/store]
//     stores between runs.
//   - [mcsim/sim/document] reads estimates off them, each with its standard error
//     and its theory ([mcsim/sim/theory]), and [mcsim/sim/gate] judges those that
//     a gate was declared for.
//   - [mcsim/sim/example] adds what a reader can compute by hand: attention of three
//     tokens ([mcsim/sim/attention]), and rows that texts print, recomputed.
//   - [mcsim/sim/result] is the document itself, and its files.
//   - [mcsim/sim/verify] judges a document again, and [mcsim/sim/compare] holds two
//     against each other.
//
// The same plan and seed give the same bytes of the document on every machine.
package sim
