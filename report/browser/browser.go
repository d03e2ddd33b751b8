// Package browser contains only tests, which check the site in a browser: on telephones and wide
// screens, in light and dark colours, and on paper.
//
// The tests start one headless Chromium, serve a rendered site on the loopback interface and check
// every page. They need Chromium. Some checks also need axe-core, for the rules of accessibility,
// or html-validate. The command `.ci/tools browser` installs these programs. If a program is
// missing, the checks that need it are skipped, except that they fail in continuous integration.
package browser
