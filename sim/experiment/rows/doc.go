// Package rows samples rows of scores (one query with its keys) and measures their softmax. The
// experiments softmax, freezing, alignment and others use it.
//
// The data flow through the files as follows:
//
//   - A [Scaling] converts scores into logits: division by d_k^p, a rule, or a temperature
//     (scaling.go, rules.go).
//   - A [RowGroup] samples sixteen rows at a time, one in each lane, and computes ‖JK‖_F for the
//     gradient by the query (group.go, gradients.go). J is the Jacobian of the softmax and K the
//     matrix of the keys.
//   - A [Tally] collects numbers of each row under every scaling: weights α of the n keys, entropy,
//     relative trace R = (1−Σα²)/(1−1/n), ‖J‖_F and others (tally.go, numbers.go). They are
//     computed from the sums of [mcsim/sim/attention], which stay accurate if one key has almost
//     all the weight.
//   - sumsOf splits a merged node by scalings (sums.go), and [Estimates] computes estimates from
//     the parts: means (means.go, estimates.go), proportions with exact binomial limits (Clopper
//     and Pearson 1934), and quantiles from histograms (quantile.go). The proportions are of rows
//     whose numbers are beyond limits (limits.go).
//   - A pilot determines which estimates have a standard error, and where histograms have fine bins
//     (pilot.go).
//   - [NewChecks] returns the gates on means, with the limits of [mcsim/sim/statistics/gate].
//
// Rows may share their keys, as the queries of a sequence do (keys.go). Such rows are dependent, so
// standard errors come from whole matrices, which are independent.
package rows
