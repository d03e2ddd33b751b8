package names

// DeadThreshold is the limit of the relative gradient below which a concentrated row is dead. The
// relative gradient is ‖∂α/∂K‖_F, the norm of the derivative of the weights with respect to the
// keys, over √(n−1)/n, its value for n equal weights and logits of standard deviation 1. The limit
// is a convention: bfloat16 has eight significant bits, so that the sum of 1 and a number below 2⁻⁸
// is rounded to 1.
const DeadThreshold = 1.0 / (1 << 8)

// Evidences lists the kinds of evidence for the initialisation of a released model. The evidence
// EvidenceLibrary, a library's default, shows what the library's class does, but not how the model
// was trained.
var Evidences = []string{EvidenceCode, EvidenceConfig, EvidenceLibrary, EvidencePaper, EvidenceUnknown}

// EvidenceUnknown is the evidence for an initialisation that no source states.
const EvidenceUnknown = "unknown"
