package view

import "testing"

func TestReferences(t *testing.T) {
	for source, want := range map[string]string{
		"openai/gpt-2@9b63575 src/model.py:50,53-60 (W_Q)": `[openai/gpt-2\@9b63575](https://github.com/openai/gpt-2/tree/9b63575) [src/model.py\:50](https://github.com/openai/gpt-2/blob/9b63575/src/model.py#L50),[53-60](https://github.com/openai/gpt-2/blob/9b63575/src/model.py#L53-L60) (W_Q)`,
		"a/b@v1.2 c.py:7; d.py:8":                          `[a/b\@v1.2](https://github.com/a/b/tree/v1.2) [c.py\:7](https://github.com/a/b/blob/v1.2/c.py#L7); d.py\:8`,
		"a/b@1 c.py:7, d/e.py:8":                           `[a/b\@1](https://github.com/a/b/tree/1) [c.py\:7](https://github.com/a/b/blob/1/c.py#L7), [d/e.py\:8](https://github.com/a/b/blob/1/d/e.py#L8)`,
		"a/b@1 README.md:7,9":                              `[a/b\@1](https://github.com/a/b/tree/1) [README.md\:7](https://github.com/a/b/blob/1/README.md?plain=1#L7),[9](https://github.com/a/b/blob/1/README.md?plain=1#L9)`,
		"Vaswani et al. (2017, arXiv 1706.03762)":          "Vaswani et al. (2017, [arXiv 1706.03762](https://arxiv.org/abs/1706.03762))",
		"a/b PR #12 (x)":                                   `[a/b PR \#12](https://github.com/a/b/pull/12) (x)`,
		"a/b@1, before PR #2: c.py:7; PR #3":               `[a/b\@1](https://github.com/a/b/tree/1), before [PR \#2](https://github.com/a/b/pull/2)\: [c.py\:7](https://github.com/a/b/blob/1/c.py#L7); PR \#3`,
		"modeling_t5.py, no lines":                         `modeling\_t5.py, no lines`,
		"[x](//evil.example) <b>@c d.py:1":                 `\[x\](//evil.example) \<b\>\@c d.py\:1`,
		"":                                                 "",
	} {
		if got := References(source); got != want {
			t.Errorf("%q: %s, want %s", source, got, want)
		}
	}
}
