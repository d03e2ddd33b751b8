// Package scores measures the scores q·k. The experiment variance measures their moments for each
// distribution and d_k. The experiment exponents measures their variance after a division by d_k^p.
//
// The variance of a cell comes from one of two estimators (variance.go, gram.go): independent
// pairs, or all products of a matrix of queries and keys, which are cheaper but not independent.
// The standard errors of both estimators have closed forms ([mcsim/sim/statistics/theory],
// theory.go), so they are known before anything is sampled. blocks.go compares them with the
// scatter of blocks. normality.go measures the distance between the distribution of a score and the
// normal distribution, and exactdistribution.go tests whether scores have their exact distribution.
//
// Exponents does not sample anything. It reads the nodes of variance, and fits the slope of ln s²
// as a function of ln d_k (exponents.go). Its estimates and the gates of variance are exported
// functions, since package trust repeats them.
package scores
