// Package related measures scores of queries and keys that are not as the usual
// argument has them: independent, of mean 0 and variance 1.
//
// Mismatch (mismatch.go) gives their components other means, standard deviations and correlations;
// then Var(q·k) is not d_k. Alignment (alignment.go, alignmentrows.go) makes one key of each row
// correlated with its query by ρ; its score grows like ρd_k, and the exponent that would keep its
// size moves from 1/2 to 1. The moments of both are polynomials in those of the distribution
// ([mcsim/sim/statistics/theory]), so that their standard errors are exact.
//
// Rules (rules.go) compares the rules that make a logit of a query and a key
// ([mcsim/sim/attention/rule]): division by a power of d_k, temperatures, cosines, additive scoring
// (additive.go) and others, the slope of each variance over d_k and what it costs in
// operations (rulejoin.go).
package related
