// Package rows draws rows of scores, one query with its keys, and says what softmax
// makes of them. The experiments softmax, freezing and alignment are made of it.
//
// The data go through the files like this:
//
//   - A [Scaling] is one way to make logits of scores: division by d_k^p, a rule, a
//     temperature (scaling.go, rules.go).
//   - A [Group] draws sixteen rows at a time, one in each lane, and the norm
//     ‖JK‖_F that the gradient by the query is made of (group.go, gradients.go).
//   - A [Tally] takes rows as they are drawn and collects, under every scaling, the
//     numbers of each row: weights, entropy, relative trace R = (1−Σα²)/(1−1/n),
//     ‖J‖_F and others (tally.go). The sums behind them are those of
//     [mcsim/sim/attention] and stay exact where one key has all the weight.
//   - sumsOf takes a merged node apart again, and [Estimates] makes estimates of it:
//     means (means.go, estimates.go), shares with exact binomial limits (Clopper and
//     Pearson 1934), and quantiles from histograms over logits (quantile.go).
//   - [Checks] are the gates, by the limits for bounded numbers of
//     [mcsim/sim/statistics/gate].
//
// Rows may share their keys, as the queries of a sequence do. Such rows depend on each
// other: errors then come from whole matrices, which are independent.
package rows
