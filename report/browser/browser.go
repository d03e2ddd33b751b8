// Package browser contains only tests, which check the site in a browser: on
// telephones and wide screens, in light and dark colours, and on paper.
//
// The tests start one headless Chromium, serve a rendered site on the loopback
// interface and check every page. They need Chromium and, for the rules of
// accessibility, axe-core; `.ci/tools browser` installs both. If one is
// missing, its tests are skipped. In continuous integration, they fail.
package browser
