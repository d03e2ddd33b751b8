// Package names holds every name that a plan, a document or a table of mcsim can
// have: experiments, quantities, parameters and their values, laws, rules,
// initialisations, labels and columns. Code refers to the constants, so that a
// mistyped name does not compile.
//
// Quantities stand bare, as ScoreVariance; all others carry the kind of thing that
// they name: ExperimentSoftmax, ParamKeys, LawNormal, ColumnValue.
package names
