package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// engines by the name of the --engine flag.
var engines = map[string]func() pica.Engine{
	"oracle": func() pica.Engine { return oracle.New() },
	"vm":     func() pica.Engine { return vm.New() },
}

// runFlags are the flags of run.
type runFlags struct {
	source
	entry, profile, engine, inputs string
	in, set                        []string
	budget, breakAt                int
	trace                          bool
	versus                         string
}

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Execute a shader and print what it leaves in the registers",
		Long: `run executes one entry point of a file over one vertex, or over many with
--inputs, and prints the output registers as values and as bits. Constants of
the file are loaded first; --set changes or adds uniforms. Registers may be named
as the file's symbol table names them.

Exit status: 0 the program ran to its end; 1 it trapped; 2 bad arguments or a
file that cannot be read.`,
		Example: `  picaproof run shader.shbin --in v0=1,2,3,4
  picaproof run shader.shbin --in position=1,2,3 --set c0=1,0,0,0 --set b2=true --set i0=3,0,1,0
  picaproof run shader.shbin --entry @12 --in v0=raw:3f0000,0,0,3f0000 --engine vm --format json
  picaproof run shader.shbin --inputs vertices.json
  picaproof run shader.shbin --in v0=1,2,3 --trace
  picaproof run shader.shbin --in v0=0.1,0.2 --profile f24 --versus hw`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.run(&flags, args[0]) },
	}
	flags.source.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.entry, "entry", "", "entry point: a label, the number of a DVLE or @word; default the first, e.g. --entry main")
	f.StringVar(&flags.profile, "profile", "f24", "numeric profile, e.g. --profile f24,hazards=warn")
	f.StringVar(&flags.engine, "engine", "oracle", "oracle or vm, e.g. --engine vm")
	f.StringArrayVar(&flags.in, "in", nil, "an input register; missing components are 0,0,0,1, e.g. --in v0=1,2,3")
	f.StringArrayVar(&flags.set, "set", nil, "a uniform, e.g. --set c4=1,0,0,0 --set i0=3,0,1,0 --set b5=true")
	f.StringVar(&flags.inputs, "inputs", "", `a JSON list with an object for each vertex, e.g. [{"v0":[1,2,3,4]}], e.g. --inputs vertices.json`)
	f.BoolVar(&flags.trace, "trace", false, "a record of every instruction instead of the outputs; as JSON one object a line, e.g. --trace")
	f.IntVar(&flags.breakAt, "break", -1, "stop the first vertex before this word and print the registers, e.g. --break 12")
	f.StringVar(&flags.versus, "versus", "", "show the first instruction after which a second profile parts from --profile, e.g. --versus hw")
	f.IntVar(&flags.budget, "budget", pica.DefaultBudget, "instructions a vertex may execute, e.g. --budget 5000")
	must(cmd.RegisterFlagCompletionFunc("engine", words("oracle", "vm")))
	must(cmd.RegisterFlagCompletionFunc("profile", words(profile.Names()...)))
	must(cmd.RegisterFlagCompletionFunc("versus", words(profile.Names()...)))
	cmd.MarkFlagsMutuallyExclusive("trace", "break", "versus")
	for _, view := range []string{"trace", "break", "versus"} {
		cmd.MarkFlagsMutuallyExclusive(view, "engine") // only the oracle records its steps
	}
	return cmd
}

func (a *app) run(flags *runFlags, name string) error {
	newEngine, ok := engines[flags.engine]
	if !ok {
		return fmt.Errorf("--engine %q: want oracle or vm", flags.engine)
	}
	p, err := profile.Parse(flags.profile)
	if err != nil {
		return fmt.Errorf("--profile: %w", err)
	}
	if flags.budget < 1 {
		return fmt.Errorf("--budget %d: want at least 1", flags.budget)
	}
	_, doc, err := a.parse(&flags.source, name)
	if err != nil {
		return err
	}
	shader, err := entryPoint(doc, flags.entry)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	job := JobOf(shader, p)
	job.Budget = flags.budget
	if err := a.setInputs(&job, shader, flags); err != nil {
		return err
	}
	if err := setUniforms(&job, shader, flags.set); err != nil {
		return err
	}
	switch {
	case flags.trace:
		return a.trace(&job)
	case flags.breakAt >= 0:
		return a.breakpoint(&job, flags.breakAt)
	case flags.versus != "":
		other, err := profile.Parse(flags.versus)
		if err != nil {
			return fmt.Errorf("--versus: %w", err)
		}
		return a.versus(&job, other)
	}
	engine := newEngine()
	var out pica.Outcome
	if err := engine.Run(&job, &out); err != nil {
		return err
	}
	result := runResult(&job, engine, &out)
	if a.json() {
		err = a.reportJSON(result)
	} else {
		err = a.report(func(w io.Writer) error { return a.runText(w, &job, &out) })
	}
	if err == nil && slices.ContainsFunc(out.Vertices, func(v pica.VertexOutcome) bool { return v.Trap.Cause != pica.TrapNone }) {
		return errFindings
	}
	return err
}

// entryPoint finds the shader that --entry names.
func entryPoint(doc registry.Document, entry string) (pica.Shader, error) {
	holder, ok := doc.(registry.Shaders)
	if !ok {
		return pica.Shader{}, failure{"this format holds no PICA200 program"}
	}
	shaders := holder.Shaders()
	if len(shaders) == 0 {
		return pica.Shader{}, failure{"the file holds no entry point"}
	}
	if entry == "" {
		return shaders[0], nil
	}
	if word, ok := strings.CutPrefix(entry, "@"); ok {
		n, err := strconv.ParseUint(word, 0, 12)
		if err != nil {
			return pica.Shader{}, fmt.Errorf("--entry %q: want @ and a word number below 4096", entry)
		}
		s := shaders[0]
		s.Entry = int(n)
		return s, nil
	}
	for _, s := range shaders {
		if s.Name == entry {
			return s, nil
		}
		if i := slices.IndexFunc(s.Labels, func(l pica.Label) bool { return l.Name == entry }); i >= 0 {
			s.Entry = s.Labels[i].Word
			return s, nil
		}
	}
	if n, err := strconv.Atoi(entry); err == nil && n >= 0 && n < len(shaders) {
		return shaders[n], nil
	}
	return pica.Shader{}, fmt.Errorf("--entry %q: neither a label nor an entry point below %d", entry, len(shaders))
}

// JobOf returns a job without vertices that runs a shader with its constants.
func JobOf(s pica.Shader, p pica.Profile) pica.Job {
	job := pica.Job{Program: s.Program, Entry: s.Entry, Stage: s.Stage, OutMask: s.OutMask, Profile: p}
	if job.OutMask == 0 {
		job.OutMask = 0xFFFF
	}
	job.Floats = slices.Clone(s.Floats)
	for k, v := range s.Ints {
		job.Ints[k] = v
	}
	for k, v := range s.Bools {
		if v {
			job.Bools |= 1 << k
		}
	}
	return job
}

func (a *app) setInputs(job *pica.Job, shader pica.Shader, flags *runFlags) error {
	vertex := func(assign func(set func(name, value string) error) error) error {
		var regs []pica.Vec4
		err := assign(func(name, value string) error {
			class, n, err := resolve(shader, name)
			if err != nil {
				return err
			}
			if class != 'v' {
				return fmt.Errorf("%q is not an input register", name)
			}
			form, v, err := parseVector(value)
			if err != nil {
				return err
			}
			if len(regs) == 0 && len(job.Vertices) == 0 {
				job.InputForm = form
			}
			if form != job.InputForm {
				return fmt.Errorf("inputs are all decimal or all raw")
			}
			for len(regs) <= n {
				regs = append(regs, pica.Vec4{})
			}
			regs[n] = v
			return nil
		})
		job.Vertices = append(job.Vertices, regs)
		return err
	}
	if flags.inputs == "" {
		return vertex(func(set func(name, value string) error) error {
			for _, s := range flags.in {
				name, value, ok := strings.Cut(s, "=")
				if !ok {
					return fmt.Errorf("--in %q: want register=x,y,z,w", s)
				}
				if err := set(name, value); err != nil {
					return fmt.Errorf("--in %q: %w", s, err)
				}
			}
			return nil
		})
	}
	if len(flags.in) > 0 {
		return fmt.Errorf("--in and --inputs exclude each other")
	}
	data, err := a.read(flags.inputs)
	if err != nil {
		return err
	}
	var vertices []map[string][]float64
	if err := json.Unmarshal(data, &vertices); err != nil {
		return fmt.Errorf("%s: %w", flags.inputs, err)
	}
	for i, regs := range vertices {
		err := vertex(func(set func(name, value string) error) error {
			for name, values := range regs {
				text := make([]string, len(values))
				for k, v := range values {
					text[k] = strconv.FormatFloat(v, 'g', -1, 64)
				}
				if err := set(name, strings.Join(text, ",")); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: vertex %d: %w", flags.inputs, i, err)
		}
	}
	return nil
}

func setUniforms(job *pica.Job, shader pica.Shader, set []string) error {
	for _, s := range set {
		fail := func(err error) error { return fmt.Errorf("--set %q: %w", s, err) }
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return fail(fmt.Errorf("want register=value"))
		}
		class, n, err := resolve(shader, name)
		if err != nil {
			return fail(err)
		}
		switch class {
		case 'c':
			form, v, err := parseVector(value)
			if err != nil {
				return fail(err)
			}
			job.Floats = append(job.Floats, pica.Upload{Register: n, Form: form, Values: []pica.Vec4{v}})
		case 'i':
			job.Ints[n] = [4]uint8{}
			for k, part := range strings.Split(value, ",") {
				x, err := strconv.ParseUint(part, 0, 8)
				if err != nil || k > 3 {
					return fail(fmt.Errorf("want up to four numbers from 0 to 255"))
				}
				job.Ints[n][k] = uint8(x)
			}
		case 'b':
			x, err := strconv.ParseBool(value)
			if err != nil {
				return fail(fmt.Errorf("want true or false"))
			}
			job.Bools &^= 1 << n
			if x {
				job.Bools |= 1 << n
			}
		default:
			return fail(fmt.Errorf("an input register is set with --in"))
		}
	}
	return nil
}

// The JSON report of run.
type (
	runReport struct {
		Profile  string      `json:"profile"`
		Engine   string      `json:"engine"`
		Vertices []runVertex `json:"vertices"`
		Bools    uint16      `json:"b"`
	}
	runVertex struct {
		Outputs       map[string]runVector `json:"outputs"`
		Address       [3]int32             `json:"address"`
		Flags         [2]bool              `json:"flags"`
		Steps         int                  `json:"steps"`
		Trap          *runTrap             `json:"trap"`
		Prims         []runPrimitive       `json:"prims"`
		Uninitialised []string             `json:"uninitialised"`
	}
	runVector struct {
		Bits  [4]string `json:"bits"`
		Value [4]any    `json:"value"`
	}
	runTrap struct {
		Cause string `json:"cause"`
		PC    int    `json:"pc"`
	}
	runPrimitive struct {
		Inverted bool                    `json:"inverted"`
		Vertices [3]map[string]runVector `json:"vertices"`
	}
)

func runResult(job *pica.Job, engine pica.Engine, out *pica.Outcome) runReport {
	r := runReport{Profile: job.Profile.Name, Engine: engine.Name(), Bools: out.Bools, Vertices: []runVertex{}}
	for i := range out.Vertices {
		v := &out.Vertices[i]
		x := runVertex{
			Outputs:       runOutputs(out.Storage, job.OutMask, &v.O),
			Address:       [3]int32{v.Address[0], v.Address[1], v.AL},
			Flags:         v.CC,
			Steps:         v.Steps,
			Prims:         []runPrimitive{},
			Uninitialised: registerNames(v.Uninitialised),
		}
		if v.Trap.Cause != pica.TrapNone {
			x.Trap = &runTrap{v.Trap.Cause.String(), v.Trap.PC}
		}
		for _, p := range v.Primitives {
			q := runPrimitive{Inverted: p.Inverted}
			for slot := range p.Vertices {
				q.Vertices[slot] = runOutputs(out.Storage, job.OutMask, &p.Vertices[slot])
			}
			x.Prims = append(x.Prims, q)
		}
		r.Vertices = append(r.Vertices, x)
	}
	return r
}

func runOutputs(storage pica.Value, mask uint16, bank *[pica.NumOutputs]pica.Vec4) map[string]runVector {
	m := make(map[string]runVector)
	for k := range bank {
		if mask>>k&1 == 0 {
			continue
		}
		m[fmt.Sprintf("o%d", k)] = vectorJSON(storage, bank[k])
	}
	return m
}

func vectorJSON(storage pica.Value, vector pica.Vec4) (v runVector) {
	for c, b := range vector {
		v.Bits[c], v.Value[c] = hexOf(storage, b), componentOf(storage, b).json()
	}
	return v
}

// registerNames lists a set of registers.
func registerNames(set pica.Registers) []string {
	names := []string{}
	for k := range bits.Len32(uint32(set)) {
		if set>>k&1 == 0 {
			continue
		}
		if k < pica.NumTemporaries {
			names = append(names, fmt.Sprintf("r%d", k))
		} else {
			names = append(names, []string{"a0.x", "a0.y", "aL", "cc.x", "cc.y"}[k-pica.NumTemporaries])
		}
	}
	return names
}

func (a *app) runText(w io.Writer, job *pica.Job, out *pica.Outcome) error {
	p := a.palette(w)
	for i := range out.Vertices {
		v := &out.Vertices[i]
		end := "ended"
		if v.Trap.Cause != pica.TrapNone {
			end = p.bad("trapped: " + v.Trap.String())
		}
		fmt.Fprintf(w, "vertex %d: %s, %s\n", i, plural(v.Steps, "instruction"), end)
		if err := outputsText(w, out.Storage, job.OutMask, &v.O); err != nil {
			return err
		}
		if v.Address != [2]int32{} || v.AL != 0 || v.CC != [2]bool{} {
			fmt.Fprintf(w, "  a0.x %d  a0.y %d  aL %d  cc.x %t  cc.y %t\n", v.Address[0], v.Address[1], v.AL, v.CC[0], v.CC[1])
		}
		for k := range v.Primitives {
			prim := &v.Primitives[k]
			fmt.Fprintf(w, "  primitive %d, inverted winding %t\n", k, prim.Inverted)
			for slot := range prim.Vertices {
				fmt.Fprintf(w, "  slot %d\n", slot)
				if err := outputsText(w, out.Storage, job.OutMask, &prim.Vertices[slot]); err != nil {
					return err
				}
			}
		}
		if names := registerNames(v.Uninitialised); len(names) > 0 {
			fmt.Fprintf(w, "  read before anything wrote it: %s\n", strings.Join(names, ", "))
		}
		for _, h := range v.Hazards {
			fmt.Fprintf(w, "  hazard on the console: %v\n", h)
		}
	}
	return nil
}

func outputsText(w io.Writer, storage pica.Value, mask uint16, bank *[pica.NumOutputs]pica.Vec4) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for k := range bank {
		if mask>>k&1 == 0 {
			continue
		}
		fmt.Fprintf(t, "  o%d", k)
		for _, b := range bank[k] {
			fmt.Fprintf(t, "\t%s", componentOf(storage, b).text())
		}
		for _, b := range bank[k] {
			fmt.Fprintf(t, "\t%s", hexOf(storage, b))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
