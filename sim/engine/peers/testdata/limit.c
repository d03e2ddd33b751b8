/* Var(q.k) of independent normal pairs in C with AVX-512 and fused
   multiply-add: an upper limit of the speed, since the kernel of mcsim does not
   fuse. One thread; two groups of 16 lanes, which hide each other's latencies.

   usage: limit normal D COMPONENTS

   Prints the seconds that sampling and the sums take. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GROUPS = 2, LANES = 16 };

typedef struct { __m512i a, b, c, d; } state; /* xoshiro128++ */

static inline __m512i next(state *s)
{
	__m512i sum = _mm512_add_epi32(s->a, s->d);
	__m512i word = _mm512_add_epi32(_mm512_rol_epi32(sum, 7), s->a);
	__m512i t = _mm512_slli_epi32(s->b, 9);
	s->c = _mm512_xor_si512(s->c, s->a);
	s->d = _mm512_xor_si512(s->d, s->b);
	s->b = _mm512_xor_si512(s->b, s->c);
	s->a = _mm512_xor_si512(s->a, s->d);
	s->c = _mm512_xor_si512(s->c, t);
	s->d = _mm512_rol_epi32(s->d, 11);
	return word;
}

#define SET _mm512_set1_ps
#define FMA _mm512_fmadd_ps

/* -2 ln u, u = (w+1/2)/2^31: u = 2^e m with m in [sqrt(1/2), sqrt(2)), and a
   polynomial in f = m - 1, whose even and odd terms are independent. */
static inline __m512 minus_two_log(__m512i word)
{
	__m512 x = _mm512_add_ps(_mm512_cvtepi32_ps(_mm512_srli_epi32(word, 1)), SET(0.5f));
	__m512i i = _mm512_sub_epi32(_mm512_castps_si512(x), _mm512_set1_epi32(0x3f3504f3 + (31 << 23)));
	__m512i m = _mm512_add_epi32(_mm512_and_si512(i, _mm512_set1_epi32(0x7fffff)), _mm512_set1_epi32(0x3f3504f3));
	__m512 e = _mm512_cvtepi32_ps(_mm512_srai_epi32(i, 23));
	__m512 f = _mm512_sub_ps(_mm512_castsi512_ps(m), SET(1)), g = _mm512_mul_ps(f, f);
	__m512 even = FMA(FMA(FMA(SET(-0.32360208f), g, SET(-0.3981384f)), g, SET(-0.6666943f)), g, SET(-2.0f));
	__m512 odd = FMA(FMA(FMA(SET(0.20167014f), g, SET(0.34485322f)), g, SET(0.49942574f)), g, SET(1.0000064f));
	return FMA(FMA(odd, f, even), f, _mm512_mul_ps(e, SET(-1.3862944f)));
}

/* Adds r^2 sin(x) cos(x) to sum, with the angle x uniform on [-pi/4, pi/4]. This is
   the product of two normal numbers; it does not depend on the quadrant of x. */
static inline __m512 component(state *s, __m512 sum)
{
	__m512 r = _mm512_sqrt_ps(minus_two_log(next(s)));
	__m512 x = _mm512_mul_ps(_mm512_cvtepi32_ps(next(s)), SET(3.6572953e-10f)), z = _mm512_mul_ps(x, x);
	__m512 sin = FMA(FMA(FMA(SET(-0.00019518292f), z, SET(0.008332189f)), z, SET(-0.16666655f)), z, SET(1));
	__m512 cos = FMA(FMA(FMA(SET(-0.0013591017f), z, SET(0.041655716f)), z, SET(-0.49999884f)), z, SET(1));
	return FMA(_mm512_mul_ps(r, cos), _mm512_mul_ps(r, _mm512_mul_ps(x, sin)), sum);
}

/* splitmix64 seeds the lanes. */
static uint64_t seed = 1;

static __m512i seeds(void)
{
	uint32_t words[LANES];
	for (int i = 0; i < LANES; i++) {
		uint64_t z = seed += 0x9e3779b97f4a7c15;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		words[i] = (uint32_t)(z ^ z >> 31);
	}
	return _mm512_loadu_si512(words);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	long d = atol(argv[2]), rounds = (long)(atof(argv[3]) / d / (GROUPS * LANES));
	state s[GROUPS];
	for (int g = 0; g < GROUPS; g++)
		s[g] = (state){seeds(), seeds(), seeds(), seeds()};
	struct timespec start, done;
	clock_gettime(CLOCK_MONOTONIC, &start);
	double total = 0, squares = 0;
	for (long n = 0; n < rounds; n++) {
		__m512 sum[GROUPS] = {SET(0), SET(0)};
		for (long i = 0; i < d; i++)
			for (int g = 0; g < GROUPS; g++)
				sum[g] = component(&s[g], sum[g]);
		for (int g = 0; g < GROUPS; g++) {
			float scores[LANES];
			_mm512_storeu_ps(scores, sum[g]);
			for (int i = 0; i < LANES; i++) {
				total += scores[i];
				squares += (double)scores[i] * scores[i];
			}
		}
	}
	clock_gettime(CLOCK_MONOTONIC, &done);
	double pairs = (double)rounds * GROUPS * LANES, mean = total / pairs;
	double variance = squares / pairs - mean * mean;
	if (!(variance > 0.5 * d && variance < 2 * d)) {
		fprintf(stderr, "the variance is %g, want about %ld\n", variance, d);
		return 1;
	}
	printf("%.9f\n", done.tv_sec - start.tv_sec + 1e-9 * (done.tv_nsec - start.tv_nsec));
	return 0;
}
