// Package scores measures the scores q·k themselves. The experiment variance measures their moments
// for each distribution and d_k; the experiment exponents measures the variance after a division by
// d_k^p.
//
// The variance of a cell comes from one of two estimators (variance.go, gram.go): independent
// pairs, or all products of a matrix of queries and keys, which are cheaper but not independent.
// Both have a closed form of the standard error ([mcsim/sim/statistics/theory], theory.go), so it
// is known before anything is sampled. blocks.go compares it with the scatter of blocks.
// normality.go measures the distance of the distribution of a score from the normal one, and
// exactdistribution.go tests its exact distribution.
//
// Exponents samples nothing: it reads the nodes of variance, and fits the slope of ln s² over ln
// d_k (exponents.go). Its estimates and gates are exported functions, since calibration repeats
// them.
package scores
