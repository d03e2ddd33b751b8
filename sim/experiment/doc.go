// Package experiment defines the parts of an experiment and the code that all experiments share.
// The experiments are in the packages below.
//
// # What an experiment is
//
// An [Experiment] is one question and one row of the table in
// [mcsim/sim/experiment/all]. It has a name, its axes, the unit that its N counts, and:
//
//   - a [Sampler]: the number of units in a block of a cell, the cost of a unit, the layout of a
//     node, and the function that samples a block and returns its node. An experiment without a
//     sampler reads the cells of another experiment: exponents reads the cells of variance;
//   - a [Reader], which computes estimates from the merged node of one cell, and estimates and
//     curves from several cells;
//   - a [Judge], which refuses the cells that cannot be run and defines the gates on the others.
//
// [New] checks that no required part is missing. A test of the table compares the nodes of an
// experiment with the layout that it declares.
//
// # Cells, blocks and nodes
//
// An [Axis] is a variable of an experiment; it parses its values, has defaults, and is either
// sampled or shared. A [Cell] is one combination of values of the sampled axes, and its id consists
// of them. All values of a shared axis, such as exponents, are evaluated on the same samples of a
// cell.
//
// A cell is sampled in blocks. Each block has its own random stream, which depends only on the
// seed, the attempt, the id of the cell and the number of the block ([mcsim/sim/base/stream]). The
// samples of a block are reduced at once to a node of [mcsim/sim/base/moments]: sums of powers
// about the mean, counts and histograms. Nodes merge in a dyadic tree, and a [BlockSampler] samples
// any subtree.
//
// # Estimates
//
// [Cell.Estimate] begins an estimate, [WithTheory] adds a closed form, and the methods of
// [CellEstimates] give it an interval if its coverage is known, and otherwise a warning with the
// reason. The method depends on the source of the standard error: a formula ([CellEstimates.Add],
// [CellEstimates.AddExact]), a formula that may be 0 ([CellEstimates.AddDegenerate]), or the sample
// itself ([CellEstimates.AddWithSampleError]); quantiles have [CellEstimates.AddQuantile]. Whether
// an estimate has a standard error and an interval depends on the plan, on theory and on the bin
// pilot of the cell ([Cell.Pilot]: a few blocks of a separate stream), but never on the reported
// numbers.
//
// # What several experiments share
//
//   - This package: axes of distributions, dimensions, exponents and estimators, numbers as people
//     write them ([Number]), lines of cells that differ only in d_k ([GroupLines]) and the weighted
//     slope through a line ([Slope]).
//   - [mcsim/sim/experiment/rows]: rows of scores under a softmax, their scalings and rules, means,
//     quantiles and proportions.
//   - [mcsim/sim/experiment/scores]: variance and exponents; mismatch and the experiments of trust
//     use their estimates and gates too.
//   - [mcsim/sim/experiment/experimenttest]: sampled cells for tests.
//
// # Adding an experiment
//
// Write a file in a package below, or a new package, with a variable made by [New]. Define its name
// and its quantities in [mcsim/sim/names], and add the variable to the table in
// [mcsim/sim/experiment/all]. Tests of the table then report missing parts.
package experiment
