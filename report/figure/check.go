package figure

import (
	"errors"
	"fmt"
	"regexp"

	"mcsim/report/label"
)

// fileName is what the name of a chart may be: of files, and of an anchor.
var fileName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Check says what the declaration of a chart lacks; each sentence names the
// chart, and a label that cannot be set. No chart that fails is drawn.
func (c Chart) Check() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("chart %q: "+format, append([]any{c.Name}, args...)...))
	}
	if !fileName.MatchString(c.Name) {
		fault("its name is not small letters and digits with hyphens between")
	}
	if c.Title == "" {
		fault("it has no title")
	} else if err := label.Check(c.Title); err != nil {
		fault("the title %w", err)
	}
	if len(c.Panels) == 0 {
		fault("it has no panels")
	}
	if c.Each != nil && (c.Each.Param == "" || c.Each.Rows.Quantity == "") {
		fault("its panels are repeated for no parameter, or for no rows")
	}
	for i, p := range c.Panels {
		if err := p.Check(); err != nil {
			fault("panel %d: %w", i+1, err)
		}
	}
	return errors.Join(faults...)
}

// checked returns a caption or a finding, of which it makes sure that the
// notation allows it.
func (c Chart) checked(text string) string {
	if err := label.Allows(text); err != nil {
		panic(fmt.Sprintf("figure: chart %q: its caption or finding: %v", c.Name, err))
	}
	return text
}
