//go:build long

package stream

const firstKeys = 1 << 21
