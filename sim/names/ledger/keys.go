package ledger

// The keys of a ledger.
const (
	KeySource    = "source"
	KeyTitle     = "title"
	KeyClaims    = "claims"
	KeyID        = "id"
	KeyText      = "text"
	KeyKind      = "kind"
	KeyPublished = "published"
	KeyAs        = "as"
	KeyHedge     = "hedge"
	KeyBy        = "by"
	KeyOf        = "of"
	KeyRounded   = "rounded"
	KeyPick      = "pick"
	KeyLiteral   = "literal"
	KeyWeakened  = "weakened"
	KeyAny       = "any"
	KeyRow       = "row"
	KeyOver      = "over"
	KeyIs        = "is"
	KeyWhy       = "why"
	KeyVerdict   = "verdict"
	KeyEvidence  = "evidence"
	KeyDated     = "dated"
)

// Keys are those of a ledger, in the order in which a reader meets them.
var Keys = []struct{ Name, Definition string }{
	{KeySource, "A short name of the text whose claims a ledger has."},
	{KeyTitle, "The title of that text; it may be left out."},
	{KeyClaims, "The claims of that text, one after the other."},
	{KeyID, "The name of a claim, which stands once in a ledger."},
	{KeyText, "What is claimed, in words of your own."},
	{KeyKind, "What settles a claim: deterministic, closed-form, cost, quadrature or monte-carlo, or document where nothing can be computed."},
	{KeyPublished, "The numbers that the text prints, with all digits that it prints and no more: half a unit of the last one is what they may be off."},
	{KeyAs, "What the text prints in place of these numbers, such as a formula; it is shown, and not judged."},
	{KeyHedge, "How the text hedges its numbers: about allows one unit of the last digit, roughly half a unit and 5 % of the number, exactly nothing."},
	{KeyBy, "The function that gives the numbers which are held against those published, or one that a condition reads."},
	{KeyOf, "The arguments of that function, each a value or a list of values."},
	{KeyRounded, "The arguments that the text prints rounded: each may be half a unit of its last digit off, and the verdict takes account of all that it may have been."},
	{KeyPick, "Which of the numbers of a function is read, counted from 1; left out, all are."},
	{KeyLiteral, "The conditions that a claim in words comes down to if it is taken word for word. Where all are met, the claim holds."},
	{KeyWeakened, "Conditions that a claim meets in a weaker sense. Where they are met and the literal ones are not, the claim is imprecise; where neither are, it is wrong."},
	{KeyAny, "A list of conditions of which one is enough, in place of a list of which all must be met."},
	{KeyRow, "The row of results that a condition reads: experiment.quantity[parameter=value, parameter=value]."},
	{KeyOver, "Another row or function, by which what a condition reads is divided."},
	{KeyIs, "What a condition wants: < or >= with a number, in with the two ends of a range joined by dots, or a word such as near one-hot."},
	{KeyWhy, "What is wrong with a claim, or what else is to know; it is shown with the verdict."},
	{KeyVerdict, "The verdict on a claim of the kind document, which rests on evidence. No other claim may have one: it is computed."},
	{KeyEvidence, "What such a verdict rests on: who says so, and where."},
	{KeyDated, "The day on which the evidence was found, such as 2026-11-23."},
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
