package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// drawn is what the program writes for a line of arguments.
func drawn(t *testing.T, args string) string {
	t.Helper()
	var b bytes.Buffer
	if err := draw(&b, strings.Fields(args)); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return b.String()
}

// Components are text, one a line, or four bytes each, as many as asked for.
func TestComponents(t *testing.T) {
	for args, line := range map[string]string{
		"--count 16":                        `-?[0-9.e-]+`,
		"--law rademacher --count 1e2":      `-?1`,
		"--law sphere --d-k 1 --count 40":   `-?(1|0\.9999999[0-9]*)`,
		"--law student-t:10 --count 2^3":    `-?[0-9.e-]+`,
		"--law student-t(10) --count 2^3":   `-?[0-9.e-]+`,
		"--law gaussian --seed 3 --count 5": `-?[0-9.e-]+`,
	} {
		want := map[string]int{"16": 16, "1e2": 100, "40": 40, "2^3": 8, "5": 5}[args[strings.LastIndex(args, " ")+1:]]
		if text := drawn(t, args); !regexp.MustCompile(`\A(`+line+`\n)*\z`).MatchString(text) || strings.Count(text, "\n") != want {
			t.Errorf("%s: %q", args, text)
		}
	}
	if usual := drawn(t, ""); usual != drawn(t, "--law normal --seed 1 --count 16") || usual == drawn(t, "--seed 2") {
		t.Error("without flags it is not 16 normal components of seed 1")
	}
	if raw := drawn(t, "--raw --count 5"); len(raw) != 20 {
		t.Errorf("5 numbers are %d bytes", len(raw))
	}
}

// Words in turn begin as those of lane 0 and as the first words do, and not as lane 1.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"--bits --count 1", "--bits --lane 0 --count 1", true},
		{"--bits --count 1", "--bits --lane 1 --count 1", false},
		{"--bits --count 16", "--bits --first --count 16", true},
		{"--bits --count 17", "--bits --first --count 17", false},
	} {
		if same := drawn(t, c.a) == drawn(t, c.b); same != c.same {
			t.Errorf("%s and %s give the same: %v", c.a, c.b, same)
		}
	}
	if words := drawn(t, "--bits --count 16"); len(words) != 64 {
		t.Errorf("16 words are %d bytes", len(words))
	}
}

// What does not go together, or is out of range, is refused with the flag that it is about.
func TestRefused(t *testing.T) {
	for args, want := range map[string]string{
		"--bits --law normal":     "--bits and --law exclude each other",
		"--bits --d-k 3":          "--bits and --d-k exclude each other",
		"--bits --raw":            "--bits and --raw exclude each other",
		"--bits --lane 1 --first": "--lane and --first exclude each other",
		"--lane 1":                "--lane and --first go with --bits",
		"--bits --lane 16":        "--lane: 16 is not in 0..15",
		"--d-k 3":                 "--d-k: the components of normal do not depend on a dimension; it is for the law sphere",
		"--count 0":               "--count: 0 is not in 1..1125899906842624",
		"--seed -1":               "--seed: -1 is not in 0..9007199254740992",
		"--law nonsense":          `--law: unknown law "nonsense"`,
		"extra":                   `takes no argument, but got "extra"`,
	} {
		var b bytes.Buffer
		if err := draw(&b, strings.Fields(args)); err == nil || !strings.HasPrefix(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%s: %v, want %s; %d bytes were written", args, err, want, b.Len())
		}
	}
}
