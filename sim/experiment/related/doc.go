// Package related measures scores under other assumptions than the usual argument for the division
// by √d_k, which assumes independent components with mean 0 and variance 1.
//
//   - Mismatch (mismatch.go): components with other means, standard deviations and correlations.
//     Then Var(q·k) is not d_k.
//   - Alignment (alignment.go, alignmentrows.go): one key of each row has the correlation ρ with
//     its query. Its score grows like ρd_k, and the exponent that would keep its size constant
//     increases from 1/2 to 1 with d_k.
//   - Rules (rules.go, ruleestimates.go, rulechecks.go): the rules that compute a logit from a
//     query and a key ([mcsim/sim/attention/rule]), such as division by a power of d_k,
//     temperatures, cosines and additive scoring (additive.go), and the slope of the logarithm of
//     each variance as a function of ln d_k (rulejoin.go).
//
// The moments of scores with mismatch or alignment are polynomials in the moments of the
// distribution ([mcsim/sim/statistics/theory]), so their standard errors are exact.
package related
