package stream

import "math/bits"

// philox computes Philox4x64-10 [SMDS11]: ten rounds of a bijection of the counter that depends on
// the key.
func philox(key [2]uint64, ctr [4]uint64) [4]uint64 {
	const (
		mul0, mul1   = 0xD2E7470EE14C6C93, 0xCA5A826395121157
		weyl0, weyl1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
	)
	for range 10 {
		hi0, lo0 := bits.Mul64(mul0, ctr[0])
		hi1, lo1 := bits.Mul64(mul1, ctr[2])
		ctr = [4]uint64{hi1 ^ ctr[1] ^ key[0], lo1, hi0 ^ ctr[3] ^ key[1], lo0}
		key[0] += weyl0
		key[1] += weyl1
	}
	return ctr
}
