//go:build noasm || !(amd64 || arm64)

package kernel

var implementations = []implementation{portable}
