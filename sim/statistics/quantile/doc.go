// Package quantile estimates quantiles, with confidence intervals, from histograms, because there
// are too many numbers to keep them.
//
// All numbers are on one scale, the logit ln(x/(1−x)) of a proportion x ([Logit]). Its resolution
// is as fine for proportions near 0 and near 1 as in the middle. A number x without an upper bound
// is converted to x/(1+x), whose logit is ln x. On that scale a [Counter] counts numbers in bins.
// Bins are coarse except in a window around each requested quantile, where they are so fine that
// they do not affect the quantile or its error. A [Pilot], a small sample of the same distribution
// from a separate stream, finds the windows. Counts are integers and merge exactly.
//
// The interval of a quantile is Woodruff's [W52]. The proportion of numbers below a fixed value has
// a standard error. It is the error of a binomial proportion if the numbers are independent
// ([BinomialSE]); otherwise it is computed from the variance of the counts of whole clusters
// ([ClusteredSE]). The ends of the interval are the numbers whose ranks are z of these errors below
// and above the rank of the quantile ([NewEstimate]). No assumption on the density is needed.
//
// A value that many numbers have exactly is called an atom of the distribution. A quantile at an
// atom may jump from one atom to another between samples ([Pilot.IsAtom]).
//
// Reference:
//
//	[W52] Woodruff: Confidence Intervals for Medians and Other Position Measures,
//	      Journal of the American Statistical Association 47 (1952).
package quantile
