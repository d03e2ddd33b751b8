package markdown

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func readFormulas(t *testing.T) FormulaSet {
	t.Helper()
	set, err := Formulas()
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Inline) < 10 || len(set.Display) < 5 {
		t.Fatalf("got %d inline and %d displayed formulas, want at least 10 and 5", len(set.Inline), len(set.Display))
	}
	return set
}

// TestFormulasAreTypeset checks that math.json has all formulas of the templates, and no others.
func TestFormulasAreTypeset(t *testing.T) {
	set := readFormulas(t)
	for _, c := range []struct {
		name  string
		used  []string
		known map[string]string
	}{{"inline", set.Inline, typesetFormulas().Inline}, {"display", set.Display, typesetFormulas().Display}} {
		for _, tex := range c.used {
			if !strings.HasPrefix(c.known[tex], "<math ") {
				t.Errorf("%s formulas: math.json has no MathML for %s; run make generate", c.name, tex)
			}
		}
		for tex := range c.known {
			if !slices.Contains(c.used, tex) {
				t.Errorf("%s formulas: math.json has %s, which no template has; run make generate", c.name, tex)
			}
		}
	}
}

// TestInlineFormulasCopyAsText checks that inline formulas have no roots and fractions. They are lost
// when a reader copies MathML as text: √d_k becomes d_k.
func TestInlineFormulasCopyAsText(t *testing.T) {
	for _, tex := range readFormulas(t).Inline {
		if regexp.MustCompile(`\\sqrt|\\t?frac`).MatchString(tex) {
			t.Errorf("the inline formula %s is copied without its root or fraction; write it as text, such as √d_k", tex)
		}
	}
}

// TestNoNumbersInFormulas checks that formulas do not contain results, since formulas are typeset
// before the results are known: neither an action of a template nor a number of several digits.
func TestNoNumbersInFormulas(t *testing.T) {
	set := readFormulas(t)
	for _, tex := range append(set.Inline, set.Display...) {
		if strings.Contains(tex, actionPlaceholder) || strings.Contains(tex, "{{") {
			t.Errorf("%s contains an action of its template", tex)
		}
		if m := regexp.MustCompile(`\d{2,}|\d[.,]\d`).FindString(tex); m != "" {
			t.Errorf("%s contains %s, which looks like a measured number", tex, m)
		}
	}
}

func TestMarkdownOfFormulas(t *testing.T) {
	for in, want := range map[string]string{
		`costs $5 and $6`:                `<p>costs $5 and $6</p>`,
		"a <!-- note --> b":              `<p>a  b</p>`,
		"<!-- a note -->":                ``,
		`a <b>bold</b> claim`:            `<p>a &lt;b&gt;bold&lt;/b&gt; claim</p>`,
		"<div>\nblock\n</div>":           "<p>&lt;div&gt;\nblock\n&lt;/div&gt;</p>",
		`in $d_k^p$ dimensions`:          `<p>in ` + typesetFormulas().Inline["d_k^p"] + ` dimensions</p>`,
		`a user's $x<y_{\rm z}$`:         `<p>a user&rsquo;s <code class="tex">x&lt;y_{\rm z}</code></p>`,
		`| a |` + "\n| - |\n| $d_k^p$ |": `<th scope="row">` + typesetFormulas().Inline["d_k^p"] + `</th>`,
		`$$a=b\tag{7}$$`: `<div class="equation" id="equation-7" tabindex="0" role="group" ` +
			`aria-label="equation 7"><code class="tex">a=b</code><a href="#equation-7">(7)</a></div>`,
		Escape(`costs $5 or $6`): `<p>costs $5 or $6</p>`,
	} {
		var b bytes.Buffer
		if err := dialect().Convert([]byte(in), &b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\n got %s\nwant %s", in, b.String(), want)
		}
	}
}

// TestFormulasStayWithNeighbours checks that a line does not break between a formula and the comma
// or the value that follows it.
func TestFormulasStayWithNeighbours(t *testing.T) {
	d := typesetFormulas().Inline["d_k^p"]
	for in, want := range map[string]string{
		"at (“$d_k^p$\u00a0=\u00a064), so": "<p>at <span class=\"keep\">(“" + d + "\u00a0=\u00a064),</span> so</p>",
		"$d_k^p$ alone":                    "<p>" + d + " alone</p>",
		"of $d_k^p$, and":                  "<p>of <span class=\"keep\">" + d + ",</span> and</p>",
		"*a* $d_k^p$\nb":                   "<p><em>a</em> " + d + "\nb</p>",
	} {
		var b bytes.Buffer
		if err := dialect().Convert([]byte(in), &b); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(b.String()); got != want {
			t.Errorf("%q\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestPlainTextFormulas(t *testing.T) {
	for in, want := range map[string]string{
		"leaves d_k^(1−2p), p = 1/2": "leaves <i>d</i><sub><i>k</i></sub><sup>1−2<i>p</i></sup>, <i>p</i> = 1/2",
		"Var(q·k) over √d_k":         "Var(<i>q</i>·<i>k</i>) over √<i>d</i><sub><i>k</i></sub>",
		"score_variance and n_to_go": "score_variance and n_to_go",
		"√(2d_k) of x at a 1/n":      "√(2<i>d</i><sub><i>k</i></sub>) of <i>x</i> at a 1/<i>n</i>",
		`x\_t, k\_mean, Σα²`:         "x_t, k_mean, Σ<i>α</i>²",
		"`d_k` stays, and " + `d\_k`: "<code>d_k</code> stays, and d_k",
		"an *emphasis* _there_":      "an <em>emphasis</em> <em>there</em>",
	} {
		var b bytes.Buffer
		if err := dialect().Convert([]byte(in), &b); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(strings.TrimPrefix(b.String(), "<p>"), "</p>\n"); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
