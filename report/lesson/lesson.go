// Package lesson prepares the strings of the pages that teach attention to who does not
// know it: attention computed step by step, with every number beside what texts print
// (example.go, printed.go, matrix.go), what it costs (cost.go), and questions, exercises
// and a handout, in which theory answers and what was measured stands beside it (quiz.go,
// exercises.go, handout.go).
package lesson
