package names

// Words that texts use for what has no column and no parameter of its own.
const (
	TermQuery         = "query"
	TermKey           = "key"
	TermValue         = "value vector"
	TermBlend         = "blend"
	TermToken         = "token"
	TermHead          = "head"
	TermComponent     = "component"
	TermLaw           = "law"
	TermScore         = "score"
	TermScale         = "scale"
	TermLogit         = "logit"
	TermRow           = "row"
	TermWeight        = "weight"
	TermSoftmax       = "softmax"
	TermGradient      = "gradient"
	TermJacobian      = "Jacobian"
	TermFrobeniusNorm = "Frobenius norm"
	TermVariance      = "variance"
	TermDeviation     = "standard deviation"
	TermKurtosis      = "excess kurtosis"
	TermMedianRow     = "median row"
	TermStack         = "stack"
	TermMedianStack   = "median stack"
	TermLayerNorm     = "LayerNorm"
	TermMask          = "mask"
	TermProjection    = "projection"
	TermOperation     = "floating-point operation"
	TermMuP           = "muP"
	TermQuantile      = "quantile"
	TermStandardError = "standard error"
	TermInterval      = "interval"
	TermTheory        = "theory"
	TermQuadrature    = "quadrature"
	TermGate          = "gate"
	TermBand          = "band"
	TermTolerance     = "tolerance"
	TermVerdict       = "verdict"
	TermExperiment    = "experiment"
	TermCell          = "cell"
	TermBlock         = "block"
	TermGram          = "Gram estimator"
	TermPilot         = "pilot"
	TermPlan          = "plan"
	TermSeed          = "seed"
	TermLoss          = "loss"
	TermThreshold     = "threshold"
	TermContrast      = "contrast"
	TermExploratory   = "exploratory"
	TermHolm          = "Holm's steps"
)

// terms go from what attention has to how it is measured and judged.
var terms = []Entry{
	{Name: TermQuery, Title: "vector that asks", Formula: "q = x·W_Q",
		Definition: "The vector by which a token asks what to attend to: d_k numbers, which a model makes of the token."},
	{Name: TermKey, Title: "vector that is asked", Formula: "k = x·W_K",
		Definition: "The vector by which a token is found: d_k numbers, which a model makes of the token. A query is compared with the key of every token that it may attend to."},
	{Name: TermValue, Title: "what a token passes on", Formula: "v = x·W_V",
		Definition: "The vector that a token passes on to those that attend to it: d_v numbers, which a model makes of the token."},
	{Name: TermBlend, Title: "weighted average of values", Formula: "Σ α_j·v_j",
		Definition: "What attention makes of a token: the value vectors of all keys of its row, each times its weight, added up."},
	{Name: TermToken, Title: "piece of text as a vector", Formula: "x",
		Definition: "A piece of text as a model sees it: a vector of as many numbers as the model is wide. Tokens are drawn at random here; no text is read."},
	{Name: TermHead, Title: "one attention among several in a layer",
		Definition: "One of several attentions that stand side by side in a layer, each with queries and keys of d_k numbers of its own. The d_k of a scale is that of one head."},
	{Name: TermComponent, Title: "one number of a vector", Formula: "q_i",
		Definition: "One of the numbers that a query, a key or a token is made of."},
	{Name: TermLaw, Title: "distribution that a component is drawn from",
		Definition: "The probability distribution that a component is drawn from. All laws here have mean 0 and variance 1 unless a page says otherwise."},
	{Name: TermScore, Title: "product of a query with a key", Formula: "S = q·k",
		Definition: "The sum of the products of the components of a query with those of a key. The larger it is, the more of the query's weight the key gets."},
	{Name: TermScale, Title: "what a score is divided by", Formula: "d_k^p",
		Definition: "What a score is divided by before softmax: √d_k in most models. A power of d_k has an exponent p: that of √d_k is 1/2, and 0 leaves the score as it is."},
	{Name: TermLogit, Title: "what softmax is given", Formula: "q·k/√d_k",
		Definition: "The number that softmax is given for a key: the score after its scale, or what another rule makes of query and key."},
	{Name: TermRow, Title: "a query with all its keys",
		Definition: "One query with all the keys that it may attend to. Softmax shares a weight of 1 among the keys of a row. In tables of results a row is a line: one quantity at one point, with its error."},
	{Name: TermWeight, Title: "part of the attention that a key gets", Formula: "α = softmax(logits)",
		Definition: "The part of the attention of a query that a key gets: a number between 0 and 1. Those of a row add up to 1. The matrices W_Q and W_K of a model are called its weights, too."},
	{Name: TermSoftmax, Title: "what makes weights of logits", Formula: "α_j = e^(s_j)/Σe^(s_l)",
		Definition: "The function that makes weights of the logits of a row: each gets its exponential over the sum of the exponentials of all. The weights are positive and add up to 1; adding one number to all logits changes none of them."},
	{Name: TermGradient, Title: "how a loss answers to each number",
		Definition: "By how much the error of a model, its loss, answers to a small change of each of its numbers. Training changes them by small steps against the gradient; where it is nearly 0, nothing is learned."},
	{Name: TermJacobian, Title: "what softmax makes of a gradient", Formula: "J = diag(α) − ααᵀ",
		Definition: "The derivative of the weights of a row by its logits. Backpropagation multiplies the incoming gradient by it: where it is nearly 0, nothing is learned through the row."},
	{Name: TermFrobeniusNorm, Title: "size of a matrix", Formula: "‖J‖_F = √(sum of the squared entries)",
		Definition: "The size of a matrix as one number: the root of the sum of its squared entries, as the length of a vector is that of its components."},
	{Name: TermVariance, Title: "mean square of the distance from the mean", Formula: "Var x = E(x − E x)²",
		Definition: "How far numbers lie from their mean, as the mean of the squares of these distances. The variances of independent numbers add up, so that the score of d_k independent products has d_k times the variance of one."},
	{Name: TermDeviation, Title: "typical distance from the mean", Formula: "√(Var x)",
		Definition: "How far numbers typically lie from their mean, in their own unit. It is the root of their variance, which is the mean of the squares of these distances."},
	{Name: TermKurtosis, Title: "heaviness of tails", Formula: "γ = E(x − E x)⁴/(Var x)² − 3",
		Definition: "How much more often than for a normal law with the same variance values lie far out: 0 for the normal law, more for heavier tails. The kurtosis κ is 3 more."},
	{Name: TermMedianRow, Title: "row in the middle",
		Definition: "The row of which as many rows have less as have more: half of all rows have no more than its value. Few rows with very large values do not move it, as they do a mean."},
	{Name: TermStack, Title: "several layers one after the other",
		Definition: "Several layers of attention one after the other, each of which takes what the one before it gave. Every stack is drawn with tokens and weights of its own."},
	{Name: TermMedianStack, Title: "stack in the middle",
		Definition: "The stack of which as many stacks have less as have more, in one layer and of one quantity. Few stacks with very large values do not move it, as they do a mean."},
	{Name: TermLayerNorm, Title: "what gives a token the mean 0 and the variance 1",
		Definition: "A step of a model that takes from the components of a token their mean and divides them by their standard deviation. Many models then multiply each component by a trained gain; none is trained here."},
	{Name: TermMask, Title: "what hides keys from a query",
		Definition: "What hides some keys from a query, such as those of tokens that come later in a text: their weight is 0, and the others share all of it."},
	{Name: TermProjection, Title: "product of a token with a learned matrix", Formula: "q = x·W_Q",
		Definition: "The product of a token with a matrix of trained numbers, which makes its query, its key or its value, and at the end of a layer that of what the heads found. It needs no other token."},
	{Name: TermOperation, Title: "one step of arithmetic",
		Definition: "One step of arithmetic with numbers that are not whole: an addition, a multiplication, a division and so on. A multiplication with the addition that follows it counts as two, also where a processor does both at once."},
	{Name: TermMuP, Title: "maximal update parametrisation", Source: "Yang et al., Tensor Programs V (2022, arXiv 2203.03466)",
		Definition: "The maximal update parametrisation: variances, scales and rates of learning that let a narrow and a wide model learn alike, so that settings found with one serve the other. It divides scores by d_k, not by its root, because queries and keys no longer are independent once a model has learned."},
	{Name: TermQuantile, Title: "value that a given share does not exceed",
		Definition: "The value that a given share of all rows does not exceed. The median is the quantile of one half."},
	{Name: TermStandardError, Title: "how far an estimate strays by chance",
		Definition: "How far an estimate typically lies from the true value because only so many numbers were drawn. It is the number after ±. Four times as many numbers halve it."},
	{Name: TermInterval, Title: "range that holds the true value with a stated confidence",
		Definition: "A range around an estimate that holds the true value in a stated share of all repetitions, 95 % unless something else is said."},
	{Name: TermTheory, Title: "what a derivation says",
		Definition: "The value that a derivation gives, which a measurement is held against. It is exact, an integral worked out numerically, or the limit of many components, and the table of results says which."},
	{Name: TermQuadrature, Title: "integral worked out numerically",
		Definition: "An integral worked out numerically, as a sum over many points with fitting factors. Nothing is drawn at random, and more points change no digit that is shown."},
	{Name: TermGate, Title: "test that was declared beforehand",
		Definition: "A test that was declared before anything was drawn: it holds the interval of a measured quantity against a band around its theory. It passes if the interval lies where it must, fails if it lies wholly elsewhere, and is else undecided."},
	{Name: TermBand, Title: "range in which a gate wants its quantity",
		Definition: "The range around theory within which a gate wants its quantity. Its half-width is the tolerance. A gate that is to show that a difference would be seen wants its quantity outside."},
	{Name: TermTolerance, Title: "largest difference from theory that is allowed",
		Definition: "How far from its theory a gate lets a quantity be: a share of the theory, such as 1 %, or for means of numbers between 0 and 1 a fixed number."},
	{Name: TermVerdict, Title: "outcome of gates",
		Definition: "Pass, fail or undecided, of one gate or of all together. Undecided means that more numbers would have to be drawn."},
	{Name: TermExperiment, Title: "one question that is measured",
		Definition: "One question, such as how Var(q·k) grows with d_k, with all that is drawn and measured to answer it. A plan lists the experiments that are to be run."},
	{Name: TermCell, Title: "one thing that is drawn",
		Definition: "One thing that is drawn, such as pairs of a query and a key of one law at one d_k, with random bits of its own. What is only computed in another way of the same draws, such as another exponent, is in the same cell."},
	{Name: TermBlock, Title: "part of a cell that is drawn at once",
		Definition: "A fixed number of draws of one cell, which are made at once and with random bits of their own. A longer run has more blocks; it changes none of those before."},
	{Name: TermGram, Title: "variance from every query with every key",
		Definition: "A way to estimate the variance of a score from a matrix in which every query meets every key, called a Gram matrix here. It costs far less than as many independent pairs, but its scores share queries and keys, which its errors take account of."},
	{Name: TermPilot, Title: "small run beforehand",
		Definition: "A small run of a cell beforehand, on random bits that enter no result. It decides which rows can have an error or an interval, so that the reported draws do not decide it themselves."},
	{Name: TermPlan, Title: "file that says what is drawn",
		Definition: "The file that lists experiments, their grids, the tolerance, the rates of error and the seed. It determines every number of a run."},
	{Name: TermSeed, Title: "number that all random bits follow from",
		Definition: "The number that all random bits follow from, together with the names of cells. Whoever runs a plan with the same seed gets the same numbers."},
	{Name: TermLoss, Title: "how far a model is from what is wanted",
		Definition: "How far what a model puts out is from what is wanted: here the mean square of the difference, over what that is where all weights of attention are the same. Training makes it smaller step by step."},
	{Name: TermThreshold, Title: "value at which a judgement turns",
		Definition: "A value, stated beforehand, at which a judgement turns. In training it is the loss that has to be reached: 0.05 of that of even weights, or 0.3 where all weights train."},
	{Name: TermContrast, Title: "one rule held against another",
		Definition: "One rule held against another on the same seeds and data, such as no scale against 1/√d_k. Four contrasts of training were declared before anything was measured."},
	{Name: TermExploratory, Title: "not declared beforehand",
		Definition: "What was looked at without having been declared beforehand. Among many such numbers some stand out by chance, so that they suggest and do not settle."},
	{Name: TermHolm, Title: "intervals for several verdicts at once", Source: "S. Holm: A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979)",
		Definition: "A way to widen intervals so that of several verdicts together one is wrong no more often than a single one may be. The clearest of n contrasts may miss an n-th of that, the next one part of the n − 1 that are left, and so on until one is not decided."},
}
