package shbin

import "github.com/picaproof/picaproof/formats/wire"

// The indices of the tables of a DVLE, in the order of its header.
const (
	constantTable = iota
	labelTable
	outputTable
	uniformTable
	symbolTable

	numDVLETables
)

// The indices of the tables of a DVLP, in the order of its header.
const (
	codeTable = iota
	descriptorTable
	lineTable
	fileNameTable

	numDVLPTables
)

// The tables of a DVLP and of a DVLE.
var (
	dvlpTables = []wire.Table[DVLP]{
		codeTable: wire.RecordTable("code", WordRecord, func(p *DVLP) *[]uint32 { return &p.Code }),
		descriptorTable: wire.RecordTable("descriptors", DescriptorRecord,
			func(p *DVLP) *[]Descriptor { return &p.Descriptors }),
		lineTable:     wire.RecordTable("lines", LineRecord, func(p *DVLP) *[]Line { return &p.Lines }),
		fileNameTable: wire.ByteTable("file_names", func(p *DVLP) *wire.Hex { return &p.FileNames }),
	}
	dvleTables = []wire.Table[Tables]{
		constantTable: wire.RecordTable("constants", ConstantRecord,
			func(t *Tables) *[]Constant { return &t.Constants }),
		labelTable:   wire.RecordTable("labels", LabelRecord, func(t *Tables) *[]Label { return &t.Labels }),
		outputTable:  wire.RecordTable("outputs", OutputRecord, func(t *Tables) *[]Output { return &t.Outputs }),
		uniformTable: wire.RecordTable("uniforms", UniformRecord, func(t *Tables) *[]Uniform { return &t.Uniforms }),
		symbolTable:  wire.ByteTable("symbols", func(t *Tables) *wire.Hex { return &t.Symbols }),
	}
)
