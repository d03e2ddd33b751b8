package names

// IsTestStatistic reports whether a quantity is a test statistic, which estimates nothing and has
// no standard error.
func IsTestStatistic(quantity string) bool {
	return quantity == ExactKS || quantity == ExactKSLimit || quantity == ExactKSP
}
