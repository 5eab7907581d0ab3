package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/find"
	"github.com/picaproof/picaproof/formats/registry"
)

// searched is one entry of the JSON report of find.
type searched struct {
	File string `json:"file"`
	*find.Result
	Extracted []string `json:"extracted,omitempty"` // names in the directory of --extract, by file
}

// recognised reports whether the search found anything.
func (s searched) recognised() bool { return len(s.Files) > 0 || s.Stopped != 0 }

func (a *app) findCommand() *cobra.Command {
	src := source{also: func(file) bool { return true }}
	var dir string
	cmd := &cobra.Command{
		Use:   "find FILE...",
		Short: "Find shader files inside executables, archives and sources",
		Long: `find looks for SHBIN (DVLB), BNSH, GSH (GFD with shaders), SHARCFB and ZPSH files inside
other files: executables that are not encrypted (.3dsx, .elf), archives that are not
compressed, sources with arrays of bytes, words or decimal numbers, or with strings of
escapes, hexdumps, and texts of hexadecimal digits or in Base64. For each it prints the offset,
the length that its own headers say, the format, and whether it is accepted or why not.
In a text the offset is where the array begins.

Nothing is searched for inside an accepted file. A refused file may be a false one; what
is inside is found too. --extract writes each file, accepted or not, under the name of
the input and the offset. It replaces no file.

Exit status: 0 every file found is accepted; 1 one is not, or a search ended early
because of too many false files; 2 bad arguments, an unreadable file, or no shader file
in all of the inputs or in one of the directories, unless --allow-empty.`,
		Example: `  picaproof find game.3dsx
  picaproof find --extract shaders source/ romfs.bin
  picaproof find --allow-empty build/`,
		Args: arguments(1, anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			extract := cmd.Flags().Changed("extract")
			return overFiles(a, &src, args, func(f file) searched {
				r := find.In(f.data, func(format registry.Format) []registry.Option { return src.opts(format) })
				for i := range r.Files { // the bytes of the other file are needed no more
					if data := &r.Files[i].Data; extract {
						*data = bytes.Clone(*data)
					} else {
						*data = nil
					}
				}
				return searched{File: f.name, Result: r}
			}, func(list []searched, _ int) error {
				if extract {
					if err := extractFound(folder(dir), list); err != nil {
						return fmt.Errorf("--extract: %w", err)
					}
				}
				return a.found(list, src.gate.allowEmpty)
			})
		},
	}
	src.gate.closed = true
	cmd.Flags().BoolVar(&src.gate.allowEmpty, "allow-empty", false,
		"accept inputs without a shader file, e.g. --allow-empty build")
	cmd.Flags().StringSliceVar(&src.options, "accept", nil, "accept a known deviation, e.g. --accept emulator-dump")
	cmd.Flags().StringVar(&dir, "extract", "", "write each file into this directory, e.g. --extract shaders")
	return cmd
}

// found reports what was found in all inputs.
func (a *app) found(list []searched, allowEmpty bool) error {
	failed := slices.ContainsFunc(list, func(s searched) bool {
		return s.Stopped != 0 || slices.ContainsFunc(s.Files, func(f find.File) bool { return !f.Accepted })
	})
	err := a.result(map[string]any{"files": list}, failed, func(w io.Writer, p palette) { a.findText(w, p, list) })
	if err == nil && !allowEmpty && !slices.ContainsFunc(list, searched.recognised) {
		return errors.New("no shader file in any input; --allow-empty accepts that")
	}
	return err
}

// extractFound writes the files that were found into a directory.
func extractFound(dir folder, list []searched) error {
	taken := make(map[string]int)
	var names []string
	for i := range list {
		s := &list[i]
		for _, name := range s.Names() {
			name = fileName(filepath.Base(s.File)) + "-" + name
			if taken[name]++; taken[name] > 1 { // another input has this name
				extension := filepath.Ext(name)
				name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, extension), taken[name], extension)
			}
			s.Extracted = append(s.Extracted, name)
		}
		names = append(names, s.Extracted...)
	}
	if err := dir.prepare(names); err != nil {
		return err
	}
	for _, s := range list {
		for k, name := range s.Extracted {
			if err := dir.write(name, bytesOf(s.Files[k].Data)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileName returns a harmless part of a file name for any text.
func fileName(text string) string {
	const most = 64
	text = strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || strings.ContainsRune("-_.", r)) {
			return r
		}
		return '_'
	}, text)
	text = strings.TrimLeft(text[:min(len(text), most)], ".-")
	if text == "" {
		return "_"
	}
	return text
}

func (a *app) findText(w io.Writer, p palette, list []searched) {
	found, accepted, magics := 0, 0, 0
	for _, s := range list {
		for i, f := range s.Files {
			found++
			verdict := p.good("accepted")
			switch {
			case f.Accepted:
				accepted++
			case f.Finding != nil:
				verdict = p.bad("refused") + ": " + f.Finding.String()
			default:
				verdict = p.bad("refused")
			}
			fmt.Fprintf(w, "%s: 0x%x: %s, %s, %s%s", shown(s.File), f.Offset, f.Format, plural(f.Length, "byte"),
				arrayText(f.Array), verdict)
			if len(s.Extracted) > 0 {
				fmt.Fprintf(w, " -> %s", s.Extracted[i])
			}
			fmt.Fprintln(w)
		}
		magics += s.Magics
		if s.Stopped != 0 {
			fmt.Fprintf(w, "%s: 0x%x: %s\n", shown(s.File), s.Stopped,
				p.bad("search ended: too many magics without a file or with a false one"))
		}
	}
	if a.quiet {
		return
	}
	fmt.Fprintf(w, "%s: %s, %d accepted, %d refused", plural(len(list), "file"), plural(found, "shader file"), accepted,
		found-accepted)
	if magics > 0 {
		fmt.Fprintf(w, "; %s without a file", plural(magics, "magic"))
	}
	fmt.Fprintln(w)
}

// arrayText describes the array that holds a file.
func arrayText(array *find.Array) string {
	if array == nil {
		return ""
	}
	name := array.Name
	if name != "" {
		name = " " + shown(name)
	}
	inside := ""
	if array.Offset > 0 {
		inside = fmt.Sprintf(" from 0x%x", array.Offset)
	}
	kind := "array"
	switch {
	case array.Encoding == "base64":
		kind = "Base64"
	case array.Encoding == "hexdump" && array.Width > 1:
		kind = fmt.Sprintf("hexdump of %d-byte words", array.Width)
	case array.Encoding == "hexdump":
		kind = "hexdump"
	case array.Encoding != "":
		kind = array.Encoding + " text"
	}
	if array.BigEndian {
		inside += ", big endian"
	}
	return fmt.Sprintf("line %d, %s%s%s, ", array.Line, kind, name, inside)
}
