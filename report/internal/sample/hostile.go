package sample

import (
	"encoding/json"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Hostile are strings that a plan might contain, and that have a special meaning in HTML,
// Markdown, XML, CSS, templates, LaTeX, PDF, spreadsheets or terminals.
var Hostile = []string{
	`<script>alert(1)</script>`, `a|b`, `](javascript:alert(1))`, "``` `code` ```", "two\nlines",
	"# heading", `<img src=x onerror=alert(1)>`, `![x](https://evil.example/x.png)`, `[x](//evil.example)`,
	`https://evil.example`, `www.evil.example`, `a@evil.example`, `d_k^(2)`, `*b* __c__ ~~d~~`, `&lt;i&gt;`,
	`"quoted" -- 'so' ...`, `\`, `{#id .class}`, `[^1]`, `: dd`, "{{.Seed}}", "\x00\x1b[31m", "\u202eabc",
	"<!-- -->", "1. one", `a\|b`, "[link]: x", `"><svg onload=alert(1)>`, `' onfocus=alert(1) autofocus='`,
	`<style>@import "https://evil.example/x.css";</style>`, `<iframe src=https://evil.example>`,
	`</title></svg><script>alert(1)</script>`, `]]><script>alert(1)</script>`,
	`<base href=https://evil.example>`, `<meta http-equiv=refresh content="0;url=https://evil.example">`,
	`$\href{https://evil.example}{x}$`, `$$x$$`, `${x}`, `\input{/etc/passwd}`, `% a comment`,
	`#1 & ~ ^ _ { }`, `\end{figure}`, `) Tj ET`, `a (b`, "a\u2028b", "\ufeff", "e\u0301\u0301\u0301",
	"=HYPERLINK(\"https://evil.example\")", "@SUM(1)", "+1+1", "-2+3", "\t=1", "\r=1",
	"\u2066a\u200bb\u2069\u200f", "\u0085\u009b31m", "caf\xe9",
}

// HostileDocument returns a document with the strings in every field that a plan can set. Fields
// that exist once have the first string.
func HostileDocument(texts ...string) *result.Document {
	first := texts[0]
	doc := OneDistribution(first, 4)
	for _, s := range texts[1:] {
		doc = JoinScores(doc, OneDistribution(s, 4))
	}
	text := func(i int) string { return texts[i%len(texts)] }
	setIfPresent := func(p result.Params, name, value string) {
		if _, ok := p[name]; ok {
			p[name] = value
		}
	}
	for i, e := range doc.Estimates {
		setIfPresent(e.Params, names.ParamRule, text(i))
		setIfPresent(e.Params, names.ParamInit, text(i))
	}
	for i, c := range doc.Curves {
		setIfPresent(c.Params, names.ParamPublished, text(i/30))
	}
	for i := range doc.Gates {
		s := text(i)
		doc.Gates[i].Name, doc.Gates[i].Expect = s, s
		doc.Gates[i].Params = result.Params{names.ParamDistribution: s, s: s}
	}
	doc.Gates[0].Verdict, doc.Budget.Verdict, doc.Digest = result.Verdict(first), result.Verdict(first), first
	doc.Schemes, doc.Warnings = nil, nil
	for _, s := range texts {
		for _, experiment := range []string{names.ExperimentInit, names.ExperimentRules} {
			doc.Schemes = append(doc.Schemes, result.Scheme{
				Experiment: experiment, Name: s, Title: s, Framework: s, Source: s, Note: s,
				Entry: s, Query: s, Key: s, Scale: s, Logit: s,
			})
		}
		doc.Warnings = append(doc.Warnings, result.Warning{Cell: s, Quantity: s, Text: s})
	}
	for i := range doc.Examples {
		for j, step := range doc.Examples[i].Steps {
			for k, list := range [][]string{step.Rows, step.Columns} {
				for l := range list {
					list[l] = text(i + j + k + l)
				}
			}
		}
	}
	doc.Plan, _ = json.Marshal(map[string]string{"name": strings.Join(texts, " ")})
	return doc
}
