package names

// Statistic reports whether a quantity is a test statistic, which estimates nothing and has no
// standard error.
func Statistic(quantity string) bool {
	return quantity == ExactKS || quantity == ExactKSLimit || quantity == ExactKSP
}
