package names

// ClaimVerdicts, ClaimKinds and ClaimHedges list the values of the fields verdict, kind and hedge
// of a claim.
var (
	ClaimVerdicts = []string{ClaimWrong, ClaimImprecise, ClaimNotSettled, ClaimRounding, ClaimHolds}
	ClaimKinds    = []string{"deterministic", "closed-form", "cost", "quadrature", "monte-carlo", KindDocument}
	ClaimHedges   = []string{HedgeExactly, HedgeAbout, HedgeRoughly}
)

// ClaimMistake is a kind of mistake in claims; Title is the heading of these claims on their page.
type ClaimMistake struct{ Name, Title string }

// ClaimMistakes lists the kinds of mistakes in the order of the page of claims.
var ClaimMistakes = []ClaimMistake{
	{"weights", "Weights that do not match their scores"},
	{"one-draw", "One draw, shown as typical"},
	{"model-width", "The size of a model, mistaken for the d_k of a head"},
	{"size", "The size of scores, mistaken for their differences"},
	{"gradient", "The gradient: which one vanishes, and when"},
	{"unit-variance", "Variance 1, taken for granted"},
	{"limit", "A limit, stated as exact"},
	{"always", "True of many, claimed of all"},
	{"temperature", "A fixed factor, mistaken for one that depends on d_k"},
	{"cost", "Cost: what grows, and what does not"},
	{"unsupported", "No measurement behind it"},
}

// BugCap is the kind of bugs in the cap of logits, which no factor describes.
const BugCap = "cap"

// BugKinds lists the kinds of bugs in the order of the page about bugs.
var BugKinds = []ClaimMistake{
	{"missing", "The factor is missing"},
	{"doubled", "The factor is applied twice"},
	{"wrong-dimension", "The root of another number"},
	{"wrong-exponent", "Another power of the right number"},
	{"own-factor", "A checkpoint’s own factor, ignored"},
	{"padding", "The width after padding"},
	{"order", "The right number in the wrong place"},
	{BugCap, "The cap of logits is missing"},
}

// ClaimWord is a word that texts use in place of a number. Texts may use it if the number is at
// least Min (unless Min is 0) and below Max (unless Max is 0).
type ClaimWord struct {
	Name     string
	Min, Max float64
	Title    string
}

// ClaimWords lists the words with their limits.
var ClaimWords = []ClaimWord{
	{"near one-hot", 0.9, 0, "largest weight of 0.9 or more"},
	{"one-hot row", 0.99, 0, "largest weight of 0.99 or more"},
	{"near uniform", 0.95, 0, "entropy of at least 95 % of that of uniform weights"},
	{"diffuse", 0.5, 0, "entropy of at least half of that of uniform weights"},
	{"smooth", 0.5, 0, "relative trace R of 0.5 or more: the weight is not one key's"},
	{"all but gone", 0, 0.01, "less than 1 %"},
	{"most", 0.5, 0, "half or more"},
	{"nearly all", 0.95, 0, "95 % or more"},
	{"ordinary", 0.05, 0, "a chance of 5 % or more"},
	{"about one", 0.8, 1.25, "between 0.8 and 1.25"},
	{"about the same", 0.8, 1.25, "a ratio between 0.8 and 1.25"},
}
