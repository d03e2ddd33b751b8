// Package lesson prepares the strings of the pages that teach attention to who does not
// know it, one file a page.
package lesson
