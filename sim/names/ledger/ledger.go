// Package ledger has the words of ledgers of claims: what a claim can be, how it can be
// settled, what comes of it, and where the words that texts use in place of numbers begin.
// The table of package names holds all of them.
package ledger

// The kinds of claims, by what settles them.
const (
	Deterministic = "deterministic"
	ClosedForm    = "closed-form"
	Counted       = "cost"
	Quadrature    = "quadrature"
	MonteCarlo    = "monte-carlo"
	OfDocument    = "document"
)

// What is found of a claim.
const (
	Holds      = "holds"
	Rounding   = "holds to rounding"
	Imprecise  = "imprecise"
	Wrong      = "wrong"
	NotSettled = "not settled"
)

// How a published number is hedged.
const (
	Exactly = "exactly"
	About   = "about"
	Roughly = "roughly"
)

// Whether a condition is met.
const (
	Met   = "met"
	Unmet = "not met"
	Open  = "open"
)

// Verdicts, Kinds and Hedges are the values in their order.
var (
	Verdicts = []string{Wrong, Imprecise, NotSettled, Rounding, Holds}
	Kinds    = []string{Deterministic, ClosedForm, Counted, Quadrature, MonteCarlo, OfDocument}
	Hedges   = []string{Exactly, About, Roughly}
)

// Word is one that texts use in place of a number: it is earned from Least on, where that
// is not 0, and below Most, where that is not 0.
type Word struct {
	Name        string
	Least, Most float64
	Title       string
}

// Words are all of them. The labels of survival are those that figures have.
var Words = []Word{
	{"near one-hot", 0.9, 0, "greatest weight of 0.9 or more"},
	{"one-hot row", 0.99, 0, "greatest weight of 0.99 or more"},
	{"near uniform", 0.95, 0, "entropy of at least 95 % of that of equal weights"},
	{"diffuse", 0.5, 0, "entropy of at least half of that of equal weights"},
	{"smooth", 0.5, 0, "survival of the gradient of 0.5 or more, as of a healthy row"},
	{"all but gone", 0, 0.01, "less than 1 %"},
	{"most", 0.5, 0, "half or more"},
	{"nearly all", 0.95, 0, "95 % or more"},
	{"ordinary", 0.05, 0, "a chance of 5 % or more"},
	{"about one", 0.8, 1.25, "between 0.8 and 1.25"},
	{"about the same", 0.8, 1.25, "a ratio between 0.8 and 1.25"},
}
