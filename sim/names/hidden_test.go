package names

import (
	"testing"
	"unicode/utf8"
)

func TestIsHidden(t *testing.T) {
	ranges := map[string][2]rune{
		"C0":                           {0, 0x1f},
		"C1 and delete":                {0x7f, 0x9f},
		"soft hyphen":                  {0xad, 0xad},
		"zero width, left and right":   {0x200b, 0x200f},
		"line and paragraph":           {0x2028, 0x2029},
		"embedding and override":       {0x202a, 0x202e},
		"word joiner, invisible signs": {0x2060, 0x2064},
		"isolates":                     {0x2066, 0x2069},
		"Hangul filler":                {0x3164, 0x3164},
		"private use":                  {0xe000, 0xe0ff},
		"byte order mark":              {0xfeff, 0xfeff},
		"tags":                         {0xe0020, 0xe007f},
	}
	for name, bounds := range ranges {
		for r := bounds[0]; r <= bounds[1]; r++ {
			if found, ok := FirstHidden("ab" + string(r) + "c"); !ok || found != r {
				t.Errorf("%s: FirstHidden does not find U+%04X", name, r)
			}
		}
	}
	for _, text := range []string{
		"", "student-t(10)", "d_k^(1/2) ≤ √n·σ² − E[x⁴] ± κ_q", "Łódź e\u0301 日本 العربية 😀", "=1+1", "\ufffd",
	} {
		if r, found := FirstHidden(text); found {
			t.Errorf("FirstHidden(%q) is U+%04X, want none", text, r)
		}
	}
	if r, found := FirstHidden("caf\xe9"); !found || r != utf8.RuneError {
		t.Errorf("FirstHidden of a byte that is not UTF-8 is U+%04X, %v, want U+FFFD, true", r, found)
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\n c":      "a b c",
		"\x1b[31mred":   "\ufffd[31mred",
		"\u202egnp.exe": "\ufffdgnp.exe",
		"caf\xe9":       "caf\ufffd",
		"x\u200by":      "x\ufffdy",
		"√d_k":          "√d_k",
	} {
		got := Printable(text)
		if got != want {
			t.Errorf("Printable(%q) is %q, want %q", text, got, want)
		}
		if r, found := FirstHidden(got); found {
			t.Errorf("Printable(%q) has the hidden character U+%04X", text, r)
		}
	}
}
