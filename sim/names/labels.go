package names

// DeadThreshold is the relative gradient at the keys below which a concentrated row is dead: the
// gradient ‖∂α/∂K‖_F over its value for uniform weights and logits of standard deviation 1,
// √(n−1)/n. The limit is a convention: if a number of this size is added in bfloat16, which has
// eight significant bits, to a number of the reference size, it is rounded away.
const DeadThreshold = 1.0 / (1 << 8)

// Evidences lists the kinds of evidence for the initialisation of a released model. A library
// default tells what the library's class does, but not how the model was trained.
var Evidences = []string{EvidenceCode, EvidenceConfig, EvidenceLibrary, EvidencePaper, EvidenceUnknown}

// EvidenceUnknown is the evidence for an initialisation that no source states.
const EvidenceUnknown = "unknown"
