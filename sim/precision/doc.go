// Package precision computes as arithmetic of few digits does: it rounds to the formats
// that attention is computed in, and adds up a score and takes its softmax in them. It
// knows no experiment.
//
//   - A [Format] is a set of numbers, of which [Formats] lists those that are known, and
//     what becomes of a number beyond the greatest (format.go).
//   - [Format.Round] is the nearest number of the format, of two that are equally near the
//     one with an even last digit (round.go).
//   - [Single] adds up scores in float32, as hardware does for all of these formats, and
//     [Format.Add] in the format itself (sums.go).
//   - [Softmax] is a softmax in float32, and [TotalVariation] how far its weights are from
//     others (softmax.go).
//
// Numbers of a format are held in float64, which has all of those of the others. A sum or
// a product of two of them that is rounded to float64 and then to the format is the one
// that is rounded to the format at once, since 53 ≥ 2·24 + 2 (S. A. Figueroa, When is
// double rounding innocuous?, ACM SIGNUM Newsletter 30, 1995).
package precision
