package experiment

import "fmt"

// CellError is the error of a cell that cannot be sampled or judged.
type CellError struct {
	Cell Cell
	Err  error
}

func (e CellError) Error() string { return fmt.Sprintf("cell %s: %v", e.Cell.ID, e.Err) }

func (e CellError) Unwrap() error { return e.Err }
