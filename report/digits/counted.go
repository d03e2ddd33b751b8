package digits

// words are the numbers that running text writes out.
var words = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// InWords writes a count as running text does: in a word where it has a short one.
func InWords(n int) string {
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return Count(int64(n))
}
