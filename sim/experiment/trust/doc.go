// Package trust asks whether the answers of the other experiments can be believed.
//
//   - Health (health.go): do the draws have the moments of their distribution, and are
//     neighbours, queries and keys, and lanes uncorrelated?
//   - Calibration (calibration.go): over many small runs, how often do 95 % intervals
//     hold the truth (coverage.go), and how often is a gate wrong (events.go)? The
//     shares have the exact limits of Clopper and Pearson (1934).
//   - Controls (controls.go, mistakes.go): draws with a deliberate mistake each. The
//     gate that should notice it is turned around: the estimate must lie outside.
package trust
