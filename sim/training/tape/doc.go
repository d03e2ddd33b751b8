// Package tape computes gradients of small networks, of several seeds side by side.
//
// A [Matrix] holds [Width] matrices of one shape, one of each seed, with the seed as the
// innermost index. So whatever is computed is computed for all seeds at once, no sum ever
// runs over seeds, and a vector instruction does in every lane what portable Go does there:
// the same multiplications and additions in the same order, none of them fused.
//
// A [Tape] records what is done to matrices. [Tape.Backward] goes through the record from
// its end and adds up gradients, which is reverse-mode differentiation:
//
//	Baydin, Pearlmutter, Radul, Siskind: Automatic Differentiation in Machine
//	Learning: a Survey, JMLR 18 (2018).
//
// The record is made once; [Tape.Forward] and Backward then run it as often as wanted.
// Operations that know of attention, which go through groups of rows, stand in attend.go,
// all others in tape.go; products of matrices in product.go.
package tape
