// Package experiment says what an experiment is made of, and has what all of them
// share. The experiments themselves live in the packages below.
//
// # What an experiment is
//
// An [Experiment] is one question and one row of the table in
// [mcsim/sim/experiment/all]. It has a name, its axes, the unit that its N counts, and:
//
//   - a [Sampler]: how many units a block of a cell has, what a unit costs, what a node holds, and
//     the function that samples one block into it. An experiment that reads the cells of
//     another, as exponents reads those of variance, has none;
//   - a [Reader]: the estimates that the merged node of one cell gives, and what needs several
//     cells: slopes, curves, the sources of what the cells name;
//   - a [Judge]: which cells cannot be run, and the gates on those that can.
//
// [New] checks that no required part is missing; a test of the table compares what an experiment
// samples with what it says.
//
// # Cells, blocks and nodes
//
// An [Axis] is one thing that a plan, a flag, an id and the schema call by the same
// name: it parses its values, has defaults, and says whether it is drawn or shared. A
// [Cell] is one point of the drawn axes, and its id is made of their values. Shared
// axes, such as exponents, are evaluated on the draws of one cell, so that all of
// their values see the same queries and keys.
//
// A cell is drawn in blocks. A block has a random stream of its own, which the seed,
// the id, the attempt and its number decide ([mcsim/sim/base/stream]), so that it has the
// same bits whoever draws it and when. What it draws is reduced at once to a node of
// [mcsim/sim/base/moments]: sums of powers about the mean, counts and histograms. Nodes
// merge in a dyadic tree, and a [Drawer] draws any part of it.
//
// # Estimates
//
// [Cell.Estimate] begins an estimate, [WithTheory] adds a closed form, and the methods of
// [CellEstimates] give it an interval if that is honest, and otherwise a warning that says why not.
// Which method is right depends on where the standard error
// comes from: a formula ([CellEstimates.Add], [CellEstimates.AddExact]), a formula that may be 0
// ([CellEstimates.AddDegenerate]), or the sample itself ([CellEstimates.AddWithSampleError]); quantiles have
// [CellEstimates.AddQuantile]. Whether a row has an error or an interval is decided by the
// plan, by theory, or by the cell's pilot ([Cell.Pilot]): a few blocks of a stream of its
// own. It never depends on the numbers that are reported.
//
// # What several experiments share
//
//   - Here: axes of distributions, dimensions, exponents and estimators, numbers as people
//     write them ([Number]), lines of cells that differ only in d_k ([LinesOf]) and
//     the weighted slope through them ([Slope]).
//   - [mcsim/sim/experiment/rows]: rows of scores under a softmax, their scalings and
//     rules, means, quantiles and shares.
//   - [mcsim/sim/experiment/scores]: variance and exponents, whose rows and gates
//     mismatch and the experiments of trust use too.
//   - [mcsim/sim/experiment/experimenttest]: drawn cells, for tests.
//
// # To add one
//
// Write one file in a package below, or a package of its own, with the row as a
// variable made by [New]; its name and its quantities, with what they mean, in
// [mcsim/sim/names]; and the variable in the table of all. Tests of the table then say
// what is missing.
package experiment
