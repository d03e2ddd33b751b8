package names

// fields are what files and JSON objects call what is no column, quantity or parameter, and
// what they use such a name for in another sense. First are those of results.json, then those
// of what commands print, of run.json and of plans. Code has them in the tags of its types
// and in the schema of plans, which a test holds against this list.
var fields = []Entry{
	{Name: "schema", Title: "version of the format", Definition: "The name and version of the format of results.json, such as mcsim/results/3."},
	{Name: "digest", Title: "digest of the results", Definition: "The SHA-256 of results.json with this field empty. A document that was changed by hand does not have it."},
	{Name: "kernel", Title: "what drew", Definition: "In results.json the version of the random bits, a whole number; in run.json and of bench the name of the implementation that drew them, which changes no bit."},
	{Name: "plan", Title: "the plan that was run", Definition: "The plan that was run, complete, with every default that it left out."},
	{Name: "cells", Title: "what was drawn", Definition: "The cells, each with its id and with how much of it was drawn."},
	{Name: "estimates", Title: "the rows", Definition: "The rows, in the order of the plan: one quantity at one point, with its error, its interval and its theory. They are what estimates.csv has."},
	{Name: "curves", Title: "the lines of figures", Definition: "Lines of theory through many points, and lines through what was drawn."},
	{Name: "gates", Title: "the gates, or how many there are", Definition: "The gates with what they hold against their bands. Of a budget it is how many gates there are."},
	{Name: "budget", Title: "rates of error of all gates together", Definition: "How many gates there are, the rates of error that they share, and the verdict of all of them."},
	{Name: "warnings", Title: "what a reader should know of rows", Definition: "Why a row has no error or no interval, in words."},
	{Name: "schemes", Title: "initialisations and rules of the document", Definition: "What each initialisation and rule that a row names is: formulas as text, and their source."},
	{Name: "models", Title: "published models", Definition: "Published models whose heads have a shape that a row of the experiment init has."},
	{Name: "examples", Title: "worked examples", Definition: "Attention with given numbers, step by step, and rows that texts print, computed again."},
	{Name: "id", Title: "name of a cell or of a worked example", Definition: "The name of a cell, which is built of its parameters and never of its position, or of a worked example."},
	{Name: "unit", Title: "what n counts, or unit of a number", Definition: "Of a cell, what its n counts: pairs, rows, stacks and so on. Where a name is explained it is the unit of its numbers, 1 for a pure number."},
	{Name: "blocks", Title: "blocks of a cell", Unit: pure, Range: notNegative, Definition: "How many blocks of work make up the n of a cell."},
	{Name: "params", Title: "parameters", Definition: "The parameters that tell rows of one quantity apart, by their names: each has an entry of its own."},
	{Name: "axis", Title: "parameter along a line", Definition: "The parameter whose values are the x of a line."},
	{Name: "x", Title: "values of the parameter along a line", Definition: "The values of the parameter that the field axis names."},
	{Name: "y", Title: "values of a line", Definition: "The values of the quantity of a line, one for each x."},
	{Name: "kind", Title: "what a line is", Definition: "How the theory of a line is known, as in theory_kind, or that the line goes through what was drawn."},
	{Name: "name", Title: "name", Definition: "What something is called: a plan, a gate, an initialisation or rule, a model, a step of a worked example, or what is explained."},
	{Name: "expect", Title: "what a gate wants", Definition: "Where a gate wants its interval: inside or outside its band; of counted shares, at least or at most what is declared."},
	{Name: "n_to_decide", Title: "draws that would decide", Unit: pure, Range: notNegative, Definition: "How many draws the cell of an undecided gate needs, by its present error; null for all other gates."},
	{Name: "alpha", Title: "chance that right results do not pass", Unit: pure, Range: fraction, Definition: "The chance that any gate does not pass though all is as theory says. Of a comparison, the chance that any row of equal quantities is said to differ."},
	{Name: "beta", Title: "chance that wrong results pass", Unit: pure, Range: fraction, Definition: "The chance that all gates pass though a quantity lies on or beyond the edge of its band."},
	{Name: "short", Title: "gates with fewer draws than their rates ask for", Unit: pure, Range: notNegative, Definition: "How many gates have fewer draws than the rates of error ask for. Of these, alpha bounds the chance of failing and not that of staying undecided."},
	{Name: "title", Title: "what it is in a few words", Definition: "What something is in a few words, as tables and help have it."},
	{Name: "framework", Title: "whose initialisation it is", Definition: "The framework or paper that an initialisation is of."},
	{Name: "source", Title: "where it comes from", Definition: "Who defined or printed something, or the place of mcsim that computes it."},
	{Name: "note", Title: "what else is to know", Definition: "What else a user of an initialisation should know."},
	{Name: "entry", Title: "variance of an entry of the weights", Definition: "The variance of an entry of W_Q and W_K under an initialisation, as a formula."},
	{Name: "query", Title: "query", Definition: "Of an initialisation, the variance of a component of a query, as a formula. Of given arrays, what describes all queries, or in a row which query it is, from 0."},
	{Name: "key", Title: "key", Definition: "Of an initialisation, the variance of a component of a key, as a formula. Of given arrays, what describes all keys."},
	{Name: "scale", Title: "scale of scores", Definition: "What q·k is multiplied by: of an initialisation a formula, of advice a number, of given arrays all that the scale does which was asked for."},
	{Name: "logit", Title: "variance of the logit, or the logit", Definition: "Of an initialisation the variance of the logit, of a rule the logit itself, as a formula."},
	{Name: "text", Title: "a sentence", Definition: "What a warning says."},
	{Name: "steps", Title: "steps of a worked example", Definition: "The matrices of a worked example, in the order in which they are computed."},
	{Name: "shape", Title: "rows and columns", Definition: "How many rows and columns the matrix of a step has."},
	{Name: "rows", Title: "rows", Definition: "Of a step the labels of its rows, of a comparison all rows that both documents have, of given arrays all queries, of a judgement how many rows the document has."},
	{Name: "columns", Title: "labels of columns", Definition: "The labels of the columns of a step."},
	{Name: "printed", Title: "what a source prints", Definition: "The numbers of a step as a source prints them."},
	{Name: "digits", Title: "whether printed digits are right", Definition: "For each printed number whether its digits are right: right, within rounding or wrong."},

	{Name: "scores", Title: "scores", Definition: "Of one row the score of each key; of given arrays how large their scores are."},
	{Name: "logits", Title: "logits of a row", Definition: "The logit of each key of a row; none at a temperature of 0."},
	{Name: "weights", Title: "weights of a row", Definition: "The weight of each key of a row, which add up to 1."},
	{Name: "scalings", Title: "a row under several scalings", Definition: "What softmax makes of one row under each scaling that was asked for."},
	{Name: "scaling", Title: "one way to make logits of scores", Definition: "The exponent, rule or temperature under which the logits of a row were made."},
	{Name: "factor", Title: "what a score is multiplied by", Unit: pure, Range: notNegative, Formula: "d_k^(−p) for an exponent p, 1/T for a temperature T", Definition: "The number that a score is multiplied by to make the logit; null where no number does, as at a temperature of 0."},
	{Name: "components", Title: "components", Definition: "Of one row the mean and the standard deviation that its components have, if not 0 and 1. Of a comparison of speed how many components were drawn. As a parameter it is something else."},

	{Name: "q_shape", Title: "shape of the queries", Definition: "Batches, heads, rows and components of the given queries."},
	{Name: "k_shape", Title: "shape of the keys", Definition: "Batches, heads, rows and components of the given keys."},
	{Name: "pairs", Title: "pairs that the mask allows", Unit: "pair", Range: notNegative, Definition: "How many pairs of a given query with a given key the mask allows. As a parameter it is something else."},
	{Name: "score_variance_over_d_k", Title: "variance of given scores over d_k", Unit: pure, Range: notNegative, Formula: "Var(q·k)/d_k", Source: "mcsim, sim/attend/scores.go", Definition: "The variance of all given scores that the mask allows, over d_k: 1 for independent components of variance 1."},
	{Name: "score_variance_within_row", Title: "variance of given scores within a row", Unit: pure, Range: notNegative, Source: "mcsim, sim/attend/scores.go", Definition: "The variance of the scores of one query, as a mean over queries that see two keys or more: what softmax sees, since it takes no notice of what all scores of a row have in common."},
	{Name: "mean_cosine", Title: "cosine between query and key", Unit: pure, Range: "−1..1", Formula: "E q·k/(|q||k|)", Source: "mcsim, sim/attend/scores.go", Definition: "The cosine of the angle between a given query and a given key, as a mean over the pairs that the mask allows: 0 for independent ones, 1 for vectors of one direction."},
	{Name: "scales", Title: "what usual scales do", Definition: "What no scale, √d_k and d_k would make of the given arrays."},
	{Name: "max_weight_times_keys", Title: "greatest weight times keys", Unit: pure, Range: "≥ 1", Formula: "E n·max α", Source: "mcsim, sim/attend/answer.go", Definition: "The greatest weight of a row times the number of keys that its query sees, as a mean over queries: 1 where all weights are equal. Below 1.25 the rows are too soft."},
	{Name: "batch", Title: "which batch, from 0", Unit: pure, Range: notNegative, Definition: "Which batch of the given arrays the row is of, from 0."},
	{Name: "head", Title: "which head, from 0", Unit: pure, Range: notNegative, Definition: "Which head of the given arrays the row is of, from 0."},
	{Name: "row_scores", Title: "scores of a given query", Definition: "The score of a given query with each key."},
	{Name: "row_weights", Title: "weights of a given query", Definition: "The weight that a given query gives to each key; 0 for keys that the mask forbids."},
	{Name: "row_output", Title: "blend of a given query", Definition: "What attention makes of a given query: the values, each times its weight, added up. It is there where values are given."},


	{Name: "parts", Title: "steps of a layer", Definition: "The counts of each step of an attention layer."},

	{Name: "changes", Title: "what is not the same", Definition: "What is not the same in plan, seed and kernel of two documents that are compared."},
	{Name: "tested", Title: "rows that were tested", Unit: pure, Range: notNegative, Definition: "How many rows of two documents were held against each other, and share alpha."},
	{Name: "z", Title: "standard errors beyond which rows differ", Unit: "standard error", Range: notNegative, Definition: "The number of standard errors beyond which two rows are said to differ: z_(α/2m) for m tested rows."},
	{Name: "only_old", Title: "rows of the old document alone", Definition: "The rows that the old document has and the new one does not."},
	{Name: "only_new", Title: "rows of the new document alone", Definition: "The rows that the new document has and the old one does not."},
	{Name: "old", Title: "the old number", Definition: "The n, the value and the standard error of the row in the old document."},
	{Name: "new", Title: "the new number", Definition: "The n, the value and the standard error of the row in the new document."},
	{Name: "difference", Title: "new less old", Unit: "that of the quantity", Range: anyNumber, Definition: "The value of the new document less that of the old one."},
	{Name: "limit", Title: "largest difference by chance", Unit: "that of the quantity", Range: notNegative, Definition: "The difference beyond which two rows are said to differ; null where it is not tested. As a parameter it is something else."},
	{Name: "draws", Title: "whether draws are the same", Definition: "How the draws of two rows are related: the same, those of one among those of the other, independent, or unknown. It decides what error their difference has."},
	{Name: "why", Title: "why rows are not tested", Definition: "Why two rows are not held against each other; empty where they are."},
	{Name: "same_value_only", Title: "the same value alone", Definition: "Two rows have the same value, but another n, error or theory."},

	{Name: "basis", Title: "what a judgement rests on", Definition: "What a judgement rests on: the rows alone, the nodes beside them, or draws that were made again."},
	{Name: "unjudged", Title: "rows that nothing was held against", Unit: pure, Range: notNegative, Definition: "How many rows were held against nothing but their bounds. From nodes or draws every row is judged."},
	{Name: "mismatches", Title: "what does not agree", Definition: "What in the document is not what the plan, the nodes or the draws give, in words."},
	{Name: "controls", Title: "deliberate mistakes", Definition: "Which deliberate mistakes were noticed, by which gate."},
	{Name: "mutation", Title: "what is wrong", Definition: "What a control does wrongly, in words."},
	{Name: "gate", Title: "the gate, or whether to judge", Definition: "Of a control the gate that must notice it. In a plan whether the entry's rows are judged: with false they are only measured. As a parameter it is something else."},
	{Name: "from_d_k", Title: "least d_k at which a gate notices", Unit: pure, Range: "≥ 1", Definition: "The least d_k at which the gate must notice the mistake; null where it is seen at none that is looked at."},
	{Name: "invisible_to", Title: "which gates see nothing", Definition: "The gates that cannot see the mistake, in words."},

	{Name: "results", Title: "digest of the results of a run", Definition: "The digest of the results.json that the run gave."},
	{Name: "started", Title: "when a run began", Definition: "When the run began, in universal time."},
	{Name: "host", Title: "machine of a run", Definition: "The name of the machine that drew."},
	{Name: "system", Title: "system and processor", Definition: "The operating system and the architecture of the processor."},
	{Name: "cores", Title: "cores of the machine", Unit: pure, Range: "≥ 1", Definition: "How many cores the machine has."},
	{Name: "workers", Title: "cores that drew", Unit: pure, Range: "≥ 1", Definition: "How many cores drew. No result depends on it."},
	{Name: "go", Title: "version of Go", Definition: "The version of Go that built the program."},
	{Name: "version", Title: "version of mcsim", Definition: "The version of mcsim that drew."},
	{Name: "revision", Title: "revision of mcsim", Definition: "The revision of the source that the program was built from; left out where it was not stamped."},
	{Name: "attention", Title: "times of attention", Definition: "What one head of attention took on the machine of the run, for texts of several lengths."},
	{Name: "median", Title: "median of the rounds", Definition: "The median of what was timed."},
	{Name: "min", Title: "least of the rounds", Definition: "The least of what was timed."},
	{Name: "max", Title: "most of the rounds", Definition: "The most of what was timed."},

	{Name: "laws", Title: "speed by law", Definition: "How fast components of each law are drawn, beside NumPy."},
	{Name: "peers", Title: "whole programs", Definition: "How fast whole programs draw the same, beside mcsim."},
	{Name: "softmax_peers", Title: "speed of softmax", Definition: "How fast softmax is, beside that of other programs."},
	{Name: "product_peers", Title: "speed of matrix products", Definition: "How fast the product of all queries with all keys is, beside that of other programs."},
	{Name: "precision_peers", Title: "time to a precision", Definition: "How long it takes to know the variance of a score to a given precision, beside other programs."},
	{Name: "missing", Title: "what could not run", Definition: "Which other programs could not run, and why."},
	{Name: "peer", Title: "the other program", Definition: "What mcsim is compared with."},
	{Name: "ratio", Title: "how many times as fast", Unit: pure, Range: notNegative, Definition: "How many times as fast mcsim is, round by round: times of the other program over ours, or rates the other way about."},
	{Name: "ratio_alone", Title: "how many times as fast without the start", Unit: pure, Range: notNegative, Definition: "The same without what the other program takes to start."},
	{Name: "ratio_with_start", Title: "how many times as fast with the start", Unit: pure, Range: notNegative, Definition: "The same with what the other program takes to start."},
	{Name: "ours_seconds", Title: "seconds of mcsim", Unit: "second", Range: notNegative, Definition: "How long mcsim took."},
	{Name: "peer_seconds", Title: "seconds of the other program", Unit: "second", Range: notNegative, Definition: "How long the other program took."},
	{Name: "ours_ns", Title: "nanoseconds of mcsim", Unit: "nanosecond", Range: notNegative, Definition: "How long mcsim took for one component, or one key of softmax."},
	{Name: "peer_ns", Title: "nanoseconds of the other program", Unit: "nanosecond", Range: notNegative, Definition: "How long the other program took for one key of softmax."},
	{Name: "numpy_ns", Title: "nanoseconds of NumPy", Unit: "nanosecond", Range: notNegative, Definition: "How long NumPy took for one component."},
	{Name: "ours_gflops", Title: "rate of mcsim", Unit: "10⁹ operations per second", Range: notNegative, Definition: "How many operations a second mcsim did."},
	{Name: "peer_gflops", Title: "rate of the other program", Unit: "10⁹ operations per second", Range: notNegative, Definition: "How many operations a second the other program did."},

	{Name: "experiments", Title: "entries of a plan", Definition: "The experiments of a plan, each with its grid."},
	{Name: "attempt", Title: "how often a plan was undecided before", Unit: pure, Range: "0..20", Definition: "How often a plan was undecided before. Each attempt draws other bits, twice as many, at half the rates of error."},
	{Name: "samples", Title: "draws of each cell", Unit: pure, Range: "≥ 1", Definition: "How much of each cell of an entry is drawn, rounded up to whole blocks, in place of what the rates of error ask for."},
	{Name: "rel_se", Title: "wanted relative standard error", Unit: pure, Range: "above 0", Definition: "The standard error over the value that an entry wants of its first quantity, in place of samples."},

	{Name: "names", Title: "what a name means", Definition: "What a name means, in each group that has it."},
	{Name: "group", Title: "kind of name", Definition: "The kind of thing that a name is of: experiment, quantity, parameter and so on."},
	{Name: "definition", Title: "what it means", Definition: "What a name means, in one or more sentences."},
	{Name: "formula", Title: "formula", Definition: "The formula of what is named, as plain text."},
	{Name: "range", Title: "values that it can have", Definition: "The values that what is named can have."},
	{Name: "files", Title: "where files have it", Definition: "The places of files and of what commands print that have a name."},
	{Name: "pages", Title: "where the site shows it", Definition: "The pages, figures and tables of the site that show what is named, as addresses."},
	{Name: "link", Title: "where the site explains it", Definition: "The address at which the site explains a name."},
	{Name: "flags", Title: "flags of that name", Definition: "The flags that a name is, with the commands that take them."},
	{Name: "flag", Title: "a flag", Definition: "The name of a flag, without its dashes."},
	{Name: "help", Title: "what a flag does", Definition: "What the help of a command says of a flag."},
	{Name: "commands", Title: "commands that take a flag", Definition: "The commands that take a flag."},
}

// fieldGroups are the groups that a field of a file may be of, by which Field looks it up.
var fieldGroups = []string{GroupField, GroupColumn, GroupQuantity, GroupParameter, GroupTerm}

// Field is the entry of a field of a file, of a JSON object or of a plan. One that means
// something else there than a parameter or word of its name has an entry of its own.
func Field(name string) (Entry, bool) {
	for _, group := range fieldGroups {
		if e, ok := Lookup(group, name); ok {
			return e, true
		}
	}
	return Entry{}, false
}
