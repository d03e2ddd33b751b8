// Package related measures scores under other assumptions than those of the usual argument, which
// has independent components of mean 0 and variance 1 and divides by √d_k.
//
//   - Mismatch (mismatch.go): components with other means, standard deviations and correlations. Then
//     Var(q·k) is not d_k.
//   - Alignment (alignment.go, alignmentrows.go): one key of each row has the correlation ρ with its
//     query. Its score grows like ρd_k, and the exponent that would keep its size constant moves from
//     1/2 to 1.
//   - Rules (rules.go, ruleestimates.go, rulechecks.go): the rules that compute a logit from a query
//     and a key ([mcsim/sim/attention/rule]), such as division by a power of d_k, temperatures, cosines
//     and additive scoring (additive.go), and the slope of each variance over d_k (rulejoin.go).
//
// The moments of the first two are polynomials in the moments of the distribution
// ([mcsim/sim/statistics/theory]), so their standard errors are exact.
package related
