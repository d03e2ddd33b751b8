package ledger

// Keys are those of a ledger, in the order in which a reader meets them.
var Keys = []struct{ Name, Definition string }{
	{"source", "A short name of the text whose claims a ledger has."},
	{"title", "The title of that text; it may be left out."},
	{"claims", "The claims of that text, one after the other."},
	{"id", "The name of a claim, which stands once in a ledger."},
	{"text", "What is claimed, in words of your own."},
	{"kind", "What settles a claim: deterministic, closed-form, cost, quadrature or monte-carlo, or document where nothing can be computed."},
	{"published", "The numbers that the text prints, with all digits that it prints and no more: half a unit of the last one is what they may be off."},
	{"as", "What the text prints in place of these numbers, such as a formula; it is shown, and not judged."},
	{"hedge", "How the text hedges its numbers: about allows one unit of the last digit, roughly half a unit and 5 % of the number, exactly nothing."},
	{"by", "The function that gives the numbers which are held against those published, or one that a condition reads."},
	{"of", "The arguments of that function, each a value or a list of values."},
	{"rounded", "The arguments that the text prints rounded: each may be half a unit of its last digit off, and the verdict takes account of all that it may have been."},
	{"pick", "Which of the numbers of a function is read, counted from 1; left out, all are."},
	{"literal", "The conditions that a claim in words comes down to if it is taken word for word. Where all are met, the claim holds."},
	{"weakened", "Conditions that a claim meets in a weaker sense. Where they are met and the literal ones are not, the claim is imprecise; where neither are, it is wrong."},
	{"any", "A list of conditions of which one is enough, in place of a list of which all must be met."},
	{"row", "The row of results that a condition reads: experiment.quantity[parameter=value, parameter=value]."},
	{"over", "Another row or function, by which what a condition reads is divided."},
	{"is", "What a condition wants: < or >= with a number, in with the two ends of a range joined by dots, or a word such as near one-hot."},
	{"why", "What is wrong with a claim, or what else is to know; it is shown with the verdict."},
	{"verdict", "The verdict on a claim of the kind document, which rests on evidence. No other claim may have one: it is computed."},
	{"evidence", "What such a verdict rests on: who says so, and where."},
	{"dated", "The day on which the evidence was found, such as 2026-11-23."},
}

// Key is what a key means.
func Key(name string) string {
	for _, l := range Keys {
		if l.Name == name {
			return l.Definition
		}
	}
	panic("ledger: no key " + name)
}
