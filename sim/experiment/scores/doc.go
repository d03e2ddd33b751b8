// Package scores measures the scores q·k themselves: variance, their moments at each
// distribution and d_k, and exponents, what dividing by d_k^p leaves of the variance.
//
// The variance of a cell comes from one of two estimators (variance.go, gram.go):
// independent pairs, which assume nothing, or all products of a matrix of queries and
// keys, which are cheaper and not independent. For both the standard error is a closed
// form ([mcsim/sim/statistics/theory]), so that it is known before anything is drawn; blocks.go
// holds it against the scatter of blocks, and normality.go measures how far the distribution of
// a score is from the normal one.
//
// Exponents draws nothing: it reads the nodes of variance, and fits the slope of
// ln s² on ln d_k (exponents.go). Its rows and gates are functions of their own here,
// since calibration repeats them many times.
package scores
