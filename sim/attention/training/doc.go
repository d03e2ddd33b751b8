// Package training trains one attention layer to recall, under any scale of its scores,
// and records what becomes of it. It knows of no experiment.
//
// # The task
//
// A sequence has [Keys] tokens of [Tokens] numbers: the first half of a token is its key,
// the second its value, all of them normal, and the j-th of a key falls as 1/j, since the
// directions of real tokens are not alike in size either. A further token asks: its first half is √2
// times the key of one of the others, its second half is 0, so that it is as long as they
// are. What is wanted is the value of the token whose key it has (associative recall, with
// key and value in one token). [Sequences] sequences are all that is learnt from; every
// step sees all of them. In the task [Copying] the keys are positions: token i has the
// i-th unit vector times √[Tokens]/√2, in every sequence.
//
// # The model
//
// A query is W_Qᵀ of the token that asks, a key W_Kᵀ of another token; a logit is their
// product times the scale of a [Rule]; softmax makes weights α of the logits; and what is
// put out is Σα·v, with v the values themselves. The loss is the mean square of what is put
// out less what is wanted: cross-entropy on α itself would cancel the Jacobian of softmax,
// whose vanishing is what is asked about. Where all weights train, values are W_Vᵀ of a
// token and what is put out is W_Oᵀ of their mixture.
//
// Since tokens are short, products go through M = W_Q·W_Kᵀ: x_q·M·x_k takes as many
// operations whatever the d_k, and only M and its gradient know of it.
//
// # What is measured
//
// [Network.Run] trains by gradient descent on all sequences, without momentum, or by Adam,
// with neither warm-up, clipping nor decay. A [Record] has the loss on the way, relative to
// the loss of uniform weights, and the first step at which that is at most [Threshold].
//
// # How gradients are made
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
package training
