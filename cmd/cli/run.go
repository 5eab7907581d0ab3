package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/oracle/given"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/show"
)

// runFlags are the flags of run.
type runFlags struct {
	source
	streamFlags
	entry, profile, engine, inputs string
	in, set                        []string
	budget, breakAt                int
	trace                          bool
	versus, ancestry               string
	changed                        func(flag string) bool
	file                           *file // that was read, nil if it was no file of a format
}

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Execute a shader and print its output registers",
		Long: `run executes one entry point of a file over one vertex, or over many with
--inputs, and prints the output registers as values and as bits. Constants of
the file are loaded first; --set changes or adds uniforms. Registers may be named
as the file's symbol table names them. The oracle also names the uniforms that the run
read and that are neither constants nor set, and the inputs that it read without a value.
--ancestry lists what fed one component of an output in this run, and marks it in the
program: instructions, inputs, uniforms, also through addresses, conditions and counts
of loops, and which of them were never set. Nothing else can change the component,
as long as the run ends within its budget. It needs a profile with the control flow of
the console.

--format html writes the page at this run, where one steps forward and back, as one file.

FILE may also be a job, the job of entry N of a report (@report.json#N), or the words
of a program as asm --emit words prints them. A job brings its own inputs, profile and
budget; the flags change them.

--inputs is a JSON list with an object for each vertex, or a stream of any length that
is executed a few thousand vertices at a time; --engine vm is the fastest:
  jsonl  an object a line, {"v0": [1, 2, 3, 4]}; the outputs are lines
         {"o0": [1, 2, 3, 4]}, with a "trap" where the program trapped
  raw    little-endian float32, --registers N registers of four components for
         each vertex, from v0; the outputs are the output registers, ascending,
         in the same form
The extension of the file (.jsonl, .ndjson; .raw, .bin, .f32) or --inputs-format says
which form it has.

Exit status: 0 the program ran to its end; 1 it trapped or was interrupted;
2 bad arguments or a file that cannot be read.`,
		Example: `  picaproof run shader.shbin --in v0=1,2,3,4
  picaproof run shader.shbin --in position=1,2,3 --set c0=1,0,0,0 --set b2=true --set i0=3,0,1,0
  picaproof run shader.shbin --entry @12 --in v0=raw:3f0000,0,0,3f0000 --engine vm --format json
  picaproof run shader.shbin --inputs vertices.json
  picaproof run shader.shbin --engine vm --inputs vertices.jsonl -o outputs.jsonl
  picaproof run shader.shbin --engine vm --inputs vertices.raw --registers 3 -o outputs.raw
  picaproof asm --emit job shader.v.pica | picaproof run - --in v0=1,2,3,4
  picaproof run shader.shbin --in v0=1,2,3 --trace
  picaproof run shader.shbin --in v0=0.1,0.2 --profile f24 --versus hw
  picaproof run shader.shbin --in v0=1,2,3 --ancestry o0.x
  picaproof run shader.shbin --in v0=1,2,3 --format html -o run.html`,
		Args:        arguments(1, 1),
		Annotations: map[string]string{formatsAnnotation: viewFormats},
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.changed = cmd.Flags().Changed
			return a.run(&flags, args[0])
		},
	}
	flags.flags(cmd)
	return cmd
}

// flags declares the flags.
func (flags *runFlags) flags(cmd *cobra.Command) {
	flags.source.flags(cmd)
	flags.streamFlags.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.entry, "entry", "",
		"entry point: a label, the number of a DVLE or @word; default the first, e.g. --entry main")
	profileFlag(cmd, &flags.profile, "numeric profile, e.g. --profile f24,hazards=warn")
	engineFlag(cmd, &flags.engine, "oracle", "engine that executes the program")
	f.StringArrayVar(&flags.in, "in", nil, "an input register; missing components are 0,0,0,1, e.g. --in v0=1,2,3")
	f.StringArrayVar(&flags.set, "set", nil, "a uniform, e.g. --set c4=1,0,0,0 --set i0=3,0,1,0 --set b5=true")
	f.StringVar(&flags.inputs, "inputs", "",
		"the vertices, as a JSON list, lines of JSON or raw float32, e.g. --inputs vertices.json")
	f.BoolVar(&flags.trace, "trace", false,
		"print each executed instruction instead of the outputs; as JSON one object a line, e.g. --trace")
	f.IntVar(&flags.breakAt, "break", -1,
		"stop the first vertex before this word and print the registers, e.g. --break 12")
	f.StringVar(&flags.versus, "versus", "",
		"show the first instruction whose result differs between --profile and this profile, e.g. --versus hw")
	f.StringVar(&flags.ancestry, "ancestry", "",
		"list what fed one component of an output, e.g. --ancestry o0.x or --ancestry position.x")
	f.IntVar(&flags.budget, "budget", pica.DefaultBudget, "instructions a vertex may execute, e.g. --budget 5000")
	must(cmd.RegisterFlagCompletionFunc("versus", words(profile.Names()...)))
	cmd.MarkFlagsMutuallyExclusive("trace", "break", "versus", "ancestry")
	for _, view := range []string{"trace", "break", "versus", "ancestry"} {
		cmd.MarkFlagsMutuallyExclusive(view, "engine") // only the oracle records its steps
	}
}

func (a *app) run(flags *runFlags, name string) error {
	newEngine, err := a.engine(flags.engine)
	if err != nil {
		return err
	}
	p, err := a.profile("profile", flags.profile)
	if err != nil {
		return err
	}
	if flags.budget < 1 {
		return fmt.Errorf("--budget %d: want at least 1", flags.budget)
	}
	shader, job, values, err := a.program(flags, name, p)
	if err != nil {
		return err
	}
	if err := flags.choose(flags.inputs); err != nil {
		return err
	}
	if err := setUniforms(&job, shader, values, flags.set); err != nil {
		return err
	}
	if flags.streamed() {
		return a.stream(flags, shader, &job, newEngine)
	}
	masks := given.Inputs(&job)
	if len(job.Vertices) == 0 || flags.inputs != "" || len(flags.in) > 0 {
		job.Vertices = nil
		if masks, err = a.setInputs(&job, shader, flags); err != nil {
			return err
		}
	}
	if a.format == "html" {
		return a.standaloneRun(flags, &shader, &job)
	}
	switch {
	case flags.trace:
		return a.trace(&job)
	case flags.breakAt >= 0:
		return a.breakpoint(&job, flags.breakAt)
	case flags.versus != "":
		other, err := a.profile("versus", flags.versus)
		if err != nil {
			return err
		}
		return a.versus(&job, other)
	case flags.changed("ancestry"):
		return a.ancestry(&job, &shader, values, masks, flags.ancestry)
	}
	var set given.Set
	if flags.engine == "oracle" {
		set = values.With(masks...)
	}
	return a.outcome(newEngine(), p.Name, &shader, &job, set)
}

// outcome runs a job and prints its outputs. Of the oracle, for which set is not nil, it also prints which values the
// run read that are not in the set.
func (a *app) outcome(engine pica.Engine, profileName string, shader *pica.Shader, job *pica.Job, set given.Set) error {
	oracle := set != nil
	var out pica.Outcome
	if err := engine.Run(job, &out); err != nil {
		return engineError(profileName, engine.Name(), err)
	}
	report := show.RunOf(job, engine.Name(), oracle, &out)
	report.Semantics = show.Semantics(shader.Outputs)
	if oracle {
		var err error
		if report.NeverSet, report.WithoutValue, err = given.Missing(job, shader, set); err != nil {
			return err
		}
	}
	return a.result(report, out.Trapped(), func(w io.Writer, p palette) {
		show.WriteRun(w, job, &out, report.Semantics, p.bad)
		notGivenText(w, &report)
	})
}

// program returns the program of a file, a job or a list of words, and the job
// that runs it. values is the set of uniforms that the file sets, float uniforms aside.
func (a *app) program(flags *runFlags, name string, p pica.Profile) (shader pica.Shader, job pica.Job,
	values given.Set, err error) {
	if err := a.validate(&flags.source); err != nil {
		return shader, job, nil, err
	}
	data, name, err := a.readJobOrFile(name)
	if err != nil {
		return shader, job, nil, err
	}
	if !isJob(data) {
		f := a.identify(&flags.source, name, data)
		doc, err := f.parse(&flags.source)
		if err != nil {
			return shader, job, nil, err
		}
		if shader, err = entryPoint(doc, flags.entry); err != nil {
			return shader, job, nil, fmt.Errorf("%s: %w", shown(name), err)
		}
		flags.file = &f
		job = shader.Job(p)
		job.Budget = flags.budget
		return shader, job, given.By(&shader), nil
	}
	parsed, err := hunt.ParseJob(data)
	if err != nil {
		return shader, job, nil, fmt.Errorf("%s: %w", shown(name), err)
	}
	job = *parsed
	shader, err = entryAmong([]pica.Shader{{Program: job.Program, Entry: job.Entry, Stage: job.Stage}}, flags.entry)
	if err != nil {
		return shader, job, nil, fmt.Errorf("%s: %w", shown(name), err)
	}
	job.Entry = shader.Entry
	if flags.changed("profile") {
		job.Profile = p
	}
	if flags.changed("budget") || job.Budget == 0 {
		job.Budget = flags.budget
	}
	return shader, job, given.ByJob(), nil
}
