// Package training trains one attention layer to recall values, with any scale of its scores, and
// records the loss. It does not depend on any experiment.
//
// # The task
//
// A sequence has [Keys] tokens of [TokenSize] numbers. The first half of a token is its key, and
// the second half its value. All numbers are normal. The j-th number of a key is scaled by 1/j,
// because the directions of real tokens differ in size, too. One more token is the question. Its
// first half is √2 times the key of one of the tokens, and its second half is 0. The factor √2
// gives it the length of the other tokens. The target is the value of the token with that key
// (associative recall, with key and value in one token). The training data are [Sequences]
// sequences; every step uses all of them. In the variant [Copying] the keys are positions: in every
// sequence, the key of token i is the i-th unit vector times √[TokenSize]/√2.
//
// # The model
//
// The layer projects the question to a query, W_Qᵀ times the question, and each other token to a
// key, W_Kᵀ times the token. A logit is their product times the scale of a [Rule]. Softmax converts
// logits to weights α. The output is Σα·v with the values v. The loss is the mean squared
// difference of output and target. It is not the cross-entropy of α, which would cancel the
// Jacobian of softmax: the experiment studies how this Jacobian vanishes. If all weights train,
// values are W_Vᵀ times a token, and the output is W_Oᵀ times their weighted sum.
//
// Since tokens are short, scores are computed as x_qᵀ·M·x_k with M = W_Q·W_Kᵀ, the question x_q and
// a token x_k. The number of these operations does not depend on d_k. Only M and its gradient are
// products over d_k components.
//
// # The measurements
//
// [Network.Run] trains with all sequences, by gradient descent without momentum or by Adam, without
// warm-up, clipping or decay. A [Record] has the loss during training, relative to the loss of
// uniform weights, and the first step at which it is at most [Threshold].
//
// # Gradients
//
// A [Matrix] holds [Width] matrices of one shape, one for each seed, with the seed as the innermost
// index. Everything is computed for all seeds at once, and no sum runs over seeds. Vector
// instructions compute for every seed what portable Go computes: the same multiplications and
// additions in the same order, without fused operations.
//
// A [Tape] records operations on matrices. [Tape.Backward] goes through the record from its end and
// accumulates gradients, which is reverse-mode differentiation:
//
//	Baydin, Pearlmutter, Radul, Siskind: Automatic Differentiation in Machine
//	Learning: a Survey, JMLR 18 (2018).
//
// The record is made once; [Tape.Forward] and Backward can then run it any number of times.
// Operations on groups of rows, which attention needs, are in attend.go, other operations in
// tape.go, and products of matrices in product.go.
package training
