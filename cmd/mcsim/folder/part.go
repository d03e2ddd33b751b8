package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"mcsim/sim/plan"
	"mcsim/sim/result"
)

// Spares refuses that a part of a plan takes the place of results that it does not hold:
// those of another plan, and those of more experiments of the same one. Experiments that
// are asked for alone are a part of the plan though they are all that it has.
func Spares(dir string, p *plan.Plan, asked []string) error {
	path := filepath.Join(dir, Results)
	file, err := os.Open(path)
	alone := p.Only
	if len(alone) == 0 {
		alone = slices.Compact(slices.Sorted(slices.Values(asked)))
	}
	if len(alone) == 0 || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	part := strings.Join(alone, ", ") + " alone"
	doc, err := result.Outline(file)
	if err != nil {
		return fmt.Errorf("%s is no results that %s could replace; give another folder with -o", path, part)
	}
	was, is, err := twoPlans(doc.Plan, p)
	switch {
	case err != nil:
		return err
	case !reflect.DeepEqual(was.rest, is.rest):
		return fmt.Errorf("%s holds the results of another plan, which %s would replace; give another folder with -o", path, part)
	case len(is.only) == 0:
		return nil // it holds all that could be there
	case len(was.only) == 0:
		return fmt.Errorf("%s holds the results of the whole plan, which %s would replace; give another folder with -o", path, part)
	}
	for _, name := range was.only {
		if !slices.Contains(is.only, name) {
			return fmt.Errorf("%s holds results of %s too, which %s would replace; add it to --only, or give another folder with -o", path, name, part)
		}
	}
	return nil
}

// compared is a plan as a document has it: the experiments that it draws alone, and the
// rest of it but for the attempt.
type compared struct {
	only []string
	rest map[string]any
}

// twoPlans are that of a document and p.
func twoPlans(text json.RawMessage, p *plan.Plan) (was, is compared, err error) {
	own, err := json.Marshal(p)
	if err != nil {
		return was, is, err
	}
	for _, c := range []struct {
		text []byte
		to   *compared
	}{{text, &was}, {own, &is}} {
		if err := json.Unmarshal(c.text, &c.to.rest); err != nil {
			return was, is, fmt.Errorf("the plan in the document: %w", err)
		}
		only, _ := c.to.rest["only"].([]any)
		for _, name := range only {
			c.to.only = append(c.to.only, fmt.Sprint(name))
		}
		delete(c.to.rest, "only")
		delete(c.to.rest, "attempt")
	}
	return was, is, nil
}
