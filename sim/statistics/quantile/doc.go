// Package quantile estimates quantiles, with confidence intervals, from histograms, because there
// are too many numbers to keep them.
//
// All numbers are on one scale, the logit ln x/(1−x) of a proportion x ([Logit]), so that
// proportions near 0 and near 1 are resolved as finely as those in the middle. A number x without
// an upper bound is converted to x/(1+x), whose logit is ln x. On that scale a [Counter] counts
// numbers in bins. Bins are coarse except in a window around each requested quantile, where they
// are so fine that they do not affect the quantile or its error. A [Pilot] finds the windows:
// numbers of the same distribution from a separate stream. Counts are integers and merge exactly.
//
// The interval of a quantile is Woodruff's [W52]. The proportion of numbers below a fixed value has
// a standard error: that of a binomial count if numbers are independent ([BinomialSE]), otherwise
// one from the variance of the counts of whole clusters ([ClusteredSE]). The ends are the numbers
// whose ranks are z of these errors below and above the rank of the quantile ([NewEstimate]). No
// assumption on the density is needed.
//
// Reference:
//
//	[W52] Woodruff: Confidence Intervals for Medians and Other Position Measures,
//	      Journal of the American Statistical Association 47 (1952).
package quantile
