// Package quantile finds quantiles, with intervals, of numbers that are too many to be
// kept.
//
// Numbers are put on one scale, the logit ln x/(1−x) of a share ([Logit]), so that a
// share near 0 and one near 1 are resolved as finely as one in the middle; a number
// without upper bound is put in as x/(1+x), whose logit is ln x. On that scale a
// [Counter] counts them in bins. Bins are coarse but for a window around each quantile
// that is wanted, and there so fine that nothing of them is left in a quantile or its
// error. Where the windows are a pilot says ([Windows]): numbers of the same distribution from a
// stream of their own. Counts are whole numbers and merge exactly.
//
// The interval of a quantile is Woodruff's: the share of numbers below a fixed value has
// a standard error, of a binomial count where numbers are independent ([Binomial]), by
// the scatter of the counts of whole clusters where they are not ([Clustered]); the
// numbers whose ranks are so many errors below and above the quantile's are the ends
// ([New]). Nothing is assumed of the density.
//
// Reference:
//
//	[W52] Woodruff: Confidence Intervals for Medians and Other Position Measures,
//	      Journal of the American Statistical Association 47 (1952).
package quantile
