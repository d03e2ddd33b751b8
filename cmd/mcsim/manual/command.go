package manual

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"mcsim/sim/plain"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/replace"
)

// Command writes the pages of all commands, which bear this version.
func Command(version string) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "write the manual as pages for man",
		Long: `Write a page for man of mcsim and of each of its commands into the folder DIR:
mcsim.1, mcsim-run.1 and so on, with what help says. They bear the date that
SOURCE_DATE_EPOCH says, in seconds since 1970, and none without it, so that the
same program writes the same bytes.`,
		Example: `  mcsim man ~/.local/share/man/man1
  mcsim man pages && man -l pages/mcsim-run.1`,
		Args: oneFolder,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, args []string) error {
			date, err := date()
			if err != nil {
				return err
			}
			n, err := write(c.Root(), args[0], date, version)
			if err == nil {
				fmt.Fprintf(c.OutOrStdout(), "%s: %d pages\n", plain.Printable(args[0]), n)
			}
			return err
		},
	}
}

func oneFolder(c *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return errors.New("man takes one folder to write to, such as ~/.local/share/man/man1")
	}
	return flag.OneAtMost("folder")(c, args)
}

// date is the day of SOURCE_DATE_EPOCH, as those who build programs agree on it
// (reproducible-builds.org/specs/source-date-epoch); empty where it is not set.
func date() (string, error) {
	const name = "SOURCE_DATE_EPOCH"
	text := os.Getenv(name)
	if text == "" {
		return "", nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 {
		return "", fmt.Errorf("%s: %q is no number of seconds since 1970", name, text)
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
}

// write writes a page for each command into a folder, all of them or none.
func write(root *cobra.Command, dir, date, version string) (pages int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	var set replace.Set
	defer set.Discard()
	for _, c := range append([]*cobra.Command{root}, listed(root)...) {
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		if err := set.AddText(filepath.Join(dir, pageName(c)+".1"), Page(c, date, version)); err != nil {
			return pages, err
		}
		pages++
	}
	return pages, set.Commit()
}
