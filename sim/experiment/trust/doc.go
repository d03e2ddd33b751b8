// Package trust tests whether the results of the other experiments can be trusted.
//
//   - Health (health.go): do the sampled components have the moments of their distribution, and are
//     neighbours, queries and keys, and lanes uncorrelated?
//   - Calibration (calibration.go): over many small runs, how often do 95 % intervals contain the
//     truth (coverage.go), and how often is a gate wrong (verdicts.go)? The proportions have the exact
//     limits of Clopper and Pearson (1934).
//   - Controls (controls.go, mistakes.go): samples with deliberate mistakes. The gate that should
//     notice a mistake is inverted: the estimate must be outside its band.
package trust
