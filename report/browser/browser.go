// Package browser holds the tests of the site in a browser: what a reader
// meets on a telephone and on a wide screen, on light and on dark paper. It
// has no code of its own.
//
// The tests start one headless Chromium, serve a rendered site on the loopback
// interface and look at every page. They need Chromium and, for the rules of
// accessibility, axe-core; `.ci/tools browser` installs both. Where they are
// missing the tests are skipped, but not in continuous integration.
package browser
