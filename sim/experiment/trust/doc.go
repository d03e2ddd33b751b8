// Package trust tests whether the results of the other experiments can be trusted.
//
//   - Health (health.go) tests whether the sampled components have the moments of their
//     distribution, and whether neighbouring components, queries and keys, and lanes are
//     uncorrelated.
//   - Calibration (calibration.go) counts over many small runs how often 95 % intervals contain the
//     exact value (coverage.go), and how often the verdict of a gate is wrong (verdicts.go). The
//     proportions have the exact limits of Clopper and Pearson (1934).
//   - Controls (controls.go, mistakes.go) samples scores with deliberate mistakes. The gate that
//     should notice a mistake is inverted: the estimate must be outside the band of the gate.
package trust
