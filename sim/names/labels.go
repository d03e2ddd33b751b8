package names

// DeadBelow is the relative gradient at the keys below which a concentrated row is dead: the
// gradient ‖∂α/∂K‖_F over its value for uniform weights and logits of standard deviation 1,
// √(n−1)/n. The limit is a convention: added in bfloat16, which has eight significant bits, to a
// number of the reference size, such a number is rounded away.
const DeadBelow = 1.0 / (1 << 8)

// Evidences are the kinds of evidence for the initialisation of a released model. A library default
// says what its class does, and nothing of how the model was trained.
var Evidences = []string{EvidenceCode, EvidenceConfig, EvidenceLibrary, EvidencePaper, EvidenceUnknown}

// EvidenceUnknown is the evidence for an initialisation that no source states.
const EvidenceUnknown = "unknown"
