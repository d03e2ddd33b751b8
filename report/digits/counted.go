package digits

// Form is the form of a word that agrees with a count.
func Form(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// All writes "The one gate", "Both gates" or "All 8 gates".
func All(n int, one, many string) string {
	switch n {
	case 1:
		return "The one " + one
	case 2:
		return "Both " + many
	}
	return "All " + Count(int64(n)) + " " + many
}
