//go:build !amd64 || noasm

package kernel

// implementations knows the names of the others, but not their code.
var implementations = []implementation{{name: "avx512"}, {name: "avx2"}, portable}
