package engine

import "errors"

var errNotYet = errors.New("not built yet")

type file struct{}
type run struct{}

// SelfTest is the state of the demo.
type SelfTest struct{}

func (e *Engine) open(p OpenParams) (r FileInfo, err error)                { return r, errNotYet }
func (e *Engine) close(p FileParams) (r Empty, err error)                  { return r, errNotYet }
func (e *Engine) bytes(p BytesParams) (r BytesResult, err error)           { return r, errNotYet }
func (e *Engine) regions(p RegionsParams) (r RegionsResult, err error)     { return r, errNotYet }
func (e *Engine) tree(p TreeParams) (r TreeResult, err error)              { return r, errNotYet }
func (e *Engine) findings(p FindingsParams) (r FindingsResult, err error)  { return r, errNotYet }
func (e *Engine) rule(p RuleParams) (r RuleResult, err error)              { return r, errNotYet }
func (e *Engine) sample(p SampleParams) (r SampleResult, err error)        { return r, errNotYet }
func (e *Engine) interfaceRows(p RowsParams) (r RowsResult, err error)     { return r, errNotYet }
func (e *Engine) programs(p ProgramsParams) (r ProgramsResult, err error)  { return r, errNotYet }
func (e *Engine) listing(p ListingParams) (r ListingResult, err error)     { return r, errNotYet }
func (e *Engine) flow(p ListingParams) (r FlowResult, err error)           { return r, errNotYet }
func (e *Engine) lints(p LintsParams) (r LintsResult, err error)           { return r, errNotYet }
func (e *Engine) explain(p ExplainParams) (r Explanation, err error)       { return r, errNotYet }
func (e *Engine) text(p TextParams) (r TextResult, err error)              { return r, errNotYet }
func (e *Engine) assemble(p AssembleParams) (r AssembleResult, err error)  { return r, errNotYet }
func (e *Engine) profiles(p Empty) (r ProfilesResult, err error)           { return r, errNotYet }
func (e *Engine) settings(p SettingsParams) (r SettingsResult, err error)  { return r, errNotYet }
func (e *Engine) registers(p ProgramParams) (r RegistersResult, err error) { return r, errNotYet }
func (e *Engine) run(p RunParams) (r RunResult, err error)                 { return r, errNotYet }
func (e *Engine) primitives(p RunWindow) (r PrimitivesResult, err error)   { return r, errNotYet }
func (e *Engine) trace(p RunWindow) (r TraceResult, err error)             { return r, errNotYet }
func (e *Engine) state(p StateParams) (r StateResult, err error)           { return r, errNotYet }
func (e *Engine) seek(p SeekParams) (r SeekResult, err error)              { return r, errNotYet }
func (e *Engine) ancestry(p AncestryParams) (r AncestryResult, err error)  { return r, errNotYet }
func (e *Engine) part(p PartParams) (r PartResult, err error)              { return r, errNotYet }
func (e *Engine) diff(p DiffParams) (r DiffResult, err error)              { return r, errNotYet }
func (e *Engine) choices(p ChoicesParams) (r ChoicesResult, err error)     { return r, errNotYet }
func (e *Engine) canon(p FileParams) (r WrittenResult, err error)          { return r, errNotYet }
func (e *Engine) convert(p ConvertParams) (r WrittenResult, err error)     { return r, errNotYet }
func (e *Engine) find(p FindParams) (r FindResult, err error)              { return r, errNotYet }
func (e *Engine) examples(p Empty) (r ExamplesResult, err error)           { return r, errNotYet }
func (e *Engine) link(p RunParams) (r LinkResult, err error)               { return r, errNotYet }
func (e *Engine) demo(p DemoParams) (r DemoResult, err error)              { return r, errNotYet }
