package draw

// What figures say of their origin.
const (
	Author   = "The mcsim authors"
	Year     = "2026"
	software = "mcsim"
	Work     = "mcsim: what attention scaling does, by Monte Carlo"
	keywords = "scaled dot-product attention, Monte Carlo, variance, softmax, mcsim"
)
