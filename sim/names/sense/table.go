package sense

import "slices"

// The outputs whose fields have senses of their own, as cmd/mcsim/show names them.
const (
	outputResults = "results.json"
	outputRun     = "run.json"
	outputPlan    = "plan --json"
	outputRow     = "probe --row --json"
	outputInspect = "inspect --json"
	outputAdvise  = "advise --json"
	outputVerify  = "verify --json"
	outputCompare = "compare --json"
	outputExplain = "explain --json"
)

// Definitions that several places have.
const (
	howManyGates  = "How many gates there are."
	howManyCells  = "How many cells are drawn; an experiment that reads the cells of another draws none."
	nameOfGate    = "The name of the gate, which it shares with those that want the same of other cells."
	secondsToDraw = "How long drawing takes, by an estimate from a few blocks on this machine."
	samplesInAll  = "How many pairs, rows or other units are drawn in all, in whole blocks."
	rowOfGate     = "The quantity that the gate wants inside or outside its band."
)

// senses are in the order of the outputs, and of the fields of each.
var senses = slices.Concat(
	in(outputResults,
		"kernel", "The version of the random bits, a whole number: documents of one version and seed have the same draws.",
		"cells[].n", "How much of the cell was drawn, in its unit.",
		"curves[].experiment", "The experiment that the line belongs to.",
		"curves[].quantity", "The quantity of which the line has the values.",
		"gates[].name", nameOfGate,
		"gates[].quantity", rowOfGate,
		"budget.gates", howManyGates,
		"budget.verdict", "Pass, fail or undecided, of all gates together.",
		"warnings[].quantity", "The quantity of the row that the warning is about.",
		"schemes[].experiment", "The experiment whose rows name the initialisation or rule.",
		"schemes[].name", "The name of the initialisation or rule, as rows have it.",
		"schemes[].source", "Who published the initialisation or rule, and where its formulas are from.",
		"schemes[].scale", "What q·k is multiplied by under the initialisation, as a formula.",
		"models[].name", "The name of the published model.",
		"examples[].id", "The name of the worked example.",
		"examples[].steps[].name", "What the matrix is: queries, keys, scores, weights and so on.",
		"examples[].steps[].rows", "The labels of the rows of the matrix.",
		"examples[].steps[].value", "The numbers of the matrix, row by row.",
		"examples[].steps[].source", "The text that gives the numbers of the matrix, or prints its own.",
		"examples[].steps[].lo", "For each number of the matrix the least one that inputs can give which round to the printed inputs.",
		"examples[].steps[].hi", "For each number of the matrix the greatest one that inputs can give which round to the printed inputs."),
	in("results.json", ofClaims...),
	in("claims --json", ofClaims...),
	in(outputRun,
		"seconds", "How long the run took, on the machine that drew.",
		"attention[].growth", "The seconds of a text over those of one half as long, in the same round."),
	in(outputPlan,
		"plan", "The name of the plan.",
		"cells", howManyCells,
		"workers", "How many cores are taken to draw in the estimate of the time.",
		"seconds", secondsToDraw,
		"gates", howManyGates,
		"experiments", "The experiments of the plan, each with what is drawn of it.",
		"experiments[].experiment", "The name of the experiment.",
		"experiments[].cells", howManyCells,
		"experiments[].samples", samplesInAll,
		"experiments[].seconds", secondsToDraw,
		"experiments[].gates", howManyGates,
		"rows", "The cells of the plan one by one; left out unless --all asks for them.",
		"rows[].samples", samplesInAll,
		"rows[].seconds", secondsToDraw),
	in(outputRow,
		"row", "Which row of the cell it is, from 0.",
		"components", "The mean and the standard deviation that components of q and k have; left out where these are 0 and 1."),
	in(outputInspect,
		"scores", "How large the scores of the given queries and keys are.",
		"scores.score_mean", "The mean of all given scores that the mask allows.",
		"scores.score_variance", "The variance of all given scores that the mask allows.",
		"query", "The mean and the variance of the components of all given queries.",
		"query.component_mean", "The mean of all components of the given queries.",
		"query.component_variance", "The variance of all components of the given queries.",
		"key", "The mean and the variance of the components of all given keys.",
		"key.component_mean", "The mean of all components of the given keys.",
		"key.component_variance", "The variance of all components of the given keys.",
		"scale", "What softmax makes of the rows under the scale that was asked for.",
		"scale.logit_sd", "The root of the variance of the logits within a row, as a mean over queries that see two keys or more.",
		"scales[].logit_sd", "The root of the variance of the logits within a row, as a mean over queries that see two keys or more.",
		"rows", "A row for each given query, with what softmax makes of it; left out unless --all asks for them.",
		"rows[].query", "Which query of its head the row is of, from 0.",
		"rows[].keys", "How many keys the query sees."),
	in(outputAdvise,
		"verdict", "Safe, too soft or freezes: what softmax does to the rows that were asked for, before the model is trained; two of these where an interval holds their border.",
		"gate", "The band that was asked for, held against the standard deviation of the logits; null where none was asked for.",
		"gate.band", "The two ends of the band that was asked for.",
		"gate.lo", "The lower limit of the interval of the standard deviation of the logits that is held against the band.",
		"gate.hi", "The upper limit of the interval of the standard deviation of the logits that is held against the band.",
		"gate.level", "The confidence level of that interval, which is higher than the 95 % of the other numbers.",
		"gate.verdict", "Pass, fail or undecided: whether that interval lies inside the band, outside of it, or across an end.",
		"published_model", "The published model whose shape and initialisation were taken; left out where none was.",
		"norm", "Whether the tokens that queries and keys are made of are behind LayerNorm.",
		"logit_sd", "The standard deviation of the logits as it was measured, over draws of the weights and pairs of tokens.",
		"scale", "The number that q·k is multiplied by."),
	in(outputVerify,
		"rows", "How many rows the document has.",
		"budget.gates", howManyGates,
		"budget.verdict", "Pass, fail or undecided, of all gates together.",
		"gates[].name", nameOfGate,
		"gates[].quantity", rowOfGate,
		"controls[].name", "The name of the deliberate mistake.",
		"controls[].gate", "The gate that must notice the mistake."),
	in(outputCompare,
		"alpha", "The chance that any row of equal quantities is said to differ.",
		"rows", "The rows that both documents have, each with its two values.",
		"rows[].se", "The standard error of the difference; null where it is not known.",
		"rows[].verdict", "What the comparison says of the row: equal, ~ for no significant difference, differs, or not judged.",
		"verdict", "What the comparison says of all rows together: equal, ~ for no significant difference, differs, or not judged."),
	in(outputExplain,
		"[].name", "The name as it was asked for.",
		"[].commands", "The command of that name, if there is one.",
		"[].names[].name", "The name as the table of names has it.",
		"[].names[].unit", "The unit of the numbers of what is named, 1 for a pure number; left out for what is no number.",
		"[].names[].source", "Who defined what is named, or the place of mcsim that computes it."),
)

// ofClaims are the senses of fields of claims, which results have and mcsim claims prints.
var ofClaims = []string{
	"claims[].id", "The name of the claim in its ledger.",
	"claims[].source", "The text that makes the claim.",
	"claims[].text", "What is claimed, not in the words of the source.",
	"claims[].kind", "What settles the claim: deterministic, closed-form, cost, quadrature, monte-carlo or document.",
	"claims[].value", "The numbers that the function gives, one for each published number.",
	"claims[].lo", "The least that each number can be, given what the printed inputs were rounded from.",
	"claims[].hi", "The greatest that each number can be, given what the printed inputs were rounded from.",
	"claims[].verdict", "What was found of the claim: holds, holds to rounding, imprecise, wrong or not settled.",
	"claims[].why", "What is wrong, or what else is to know.",
	"claims[].conditions[].reads", "The row, or the function with its arguments, that is held against the thresholds.",
	"claims[].conditions[].value", "What was read.",
	"claims[].conditions[].lo", "The least that was read may stand for.",
	"claims[].conditions[].hi", "The greatest that was read may stand for.",
	"claims[].conditions[].why", "Why the condition is open; empty where it is not.",
}
