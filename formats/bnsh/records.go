package bnsh

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

//go:generate go test -run ^TestDoc$ -update .

var le = binary.LittleEndian

// Signatures in file order.
const (
	fileSignature       = "BNSH\x00\x00\x00\x00"
	containerSignature  = "grsc"
	stringsSignature    = "_STR"
	relocationSignature = "_RLT"
	dictionarySignature = "_DIC"
)

const (
	poolObjectSize = 0x140
	poolAlignment  = 0x1000
	codeAlignment  = 0x100
	poolSlack      = 0x500 // zero bytes after the last code
)

// field is a field of a record that is reached through the item of the record.
type field = wire.Field[item]

var headerRecord = wire.NewRecord("File header",
	signature(fileSignature),
	wire.Uint("version.micro", func(x *item) *uint8 { return &x.file.Version.Micro }, ""),
	wire.Uint("version.minor", func(x *item) *uint8 { return &x.file.Version.Minor }, ""),
	wire.Uint("version.major", func(x *item) *uint16 { return &x.file.Version.Major }, "2").
		Must("BNSH003", wire.Is(2), diag.Dec).Apart(),
	wire.Derived("byte_order_mark", 2, func(*item) uint64 { return byteOrderMark }, "0xFEFF").As(wire.ShowHex).
		Must("BNSH002", wire.IsHex(byteOrderMark), diag.Hex).Apart(),
	wire.Uint("alignment_shift", func(x *item) *uint8 { return &x.file.AlignmentShift }, "12 (88 files of a game)").
		Must("BNSH004", wire.Is(knownShift), diag.Dec).Apart(),
	wire.Uint("address_size", func(x *item) *uint8 { return &x.file.AddressSize },
		"bits: 0 (88 files of a game), 64 (Wexos wiki)").
		Must("BNSH005", wire.OneOf(diag.Dec, 0, 64), diag.Dec).Apart(),
	wire.Derived("name", 4, func(x *item) uint64 { return uint64(x.strings[x.layout.Name]) + 2 },
		"offset of the characters of the file name").As(wire.ShowHex),
	wire.Unread[item]("flags", 2, "bit 0: relocated (nnheaders); 0 in a file").
		As(wire.ShowFlags(wire.ShowHex, "relocated")).
		Must("BNSH007", wire.Is(0), diag.Hex),
	wire.Derived("container", 2, func(x *item) uint64 { return uint64(x.layout.Container) },
		"offset of the first block: 0x60").As(wire.ShowHex),
	wire.Derived("relocation_table", 4, func(x *item) uint64 { return uint64(x.layout.Relocations) },
		"offset of the relocation table").As(wire.ShowHex),
	wire.Unread[item]("file_size", 4, "").As(wire.ShowHex),
	reserved("reserved", 0x40),
)

// The rules that the walk evaluates apart from the others of the header.
var (
	byteOrderRule    = headerRecord.Only("BNSH002")
	majorVersionRule = headerRecord.Only("BNSH003")
	usualRules       = headerRecord.Only("BNSH004", "BNSH005")
)

var containerRecord = wire.NewRecord("Container", slices.Concat(
	blockFields(containerSignature, func(x *item) uint64 { return uint64(x.layout.Strings - x.layout.Container) }),
	[]field{
		wire.Uint("size", func(x *item) *uint32 { return &x.layout.ContainerSize }, "as next").As(wire.ShowHex),
		reserved("reserved", 4),
		wire.Uint("api_type", func(x *item) *uint16 { return &x.file.APIType }, "4: NVN").As(showAPI).
			Must("BNSH019", wire.Is(nvnAPI), func(n uint64) diag.Value { return diag.Value{Show: showAPI, N: n} }),
		wire.Uint("api_version", func(x *item) *uint16 { return &x.file.APIVersion }, "0 (88 files of a game)"),
		wire.Uint("target_code_type", func(x *item) *uint8 { return &x.file.TargetCodeType },
			"0; the runtime writes it (nnheaders)").Must("BNSH019", wire.Is(0), diag.Dec),
		reserved("reserved2", 3),
		wire.Uint("compiler_version", func(x *item) *uint32 { return &x.file.CompilerVersion }, "").As(wire.ShowHex),
		wire.Derived("variation_count", 4, func(x *item) uint64 { return uint64(len(x.file.Variations)) },
			"at least 1"),
		pointer("variations", func(x *item) uint32 { return x.layout.Variations }, ""),
		pointer("pool", func(x *item) uint32 { return x.layout.Pool.Record }, "memory pool; null without binary code"),
		wire.Uint("low_level_compiler_version", func(x *item) *uint64 { return &x.file.LowLevelCompilerVersion }, "").
			As(wire.ShowHex),
		reserved("reserved3", 40),
	})...)

var variationRecord = wire.NewRecord("Variation",
	pointer("source", func(x *item) uint32 { return x.programAt(SourceSlot) }, "programs: at least one"),
	pointer("intermediate", func(x *item) uint32 { return x.programAt(IntermediateSlot) }, ""),
	pointer("binary", func(x *item) uint32 { return x.programAt(BinarySlot) }, ""),
	pointer("parent", func(x *item) uint32 { return x.layout.Container }, "container"),
	reserved("reserved", 32),
)

var programRecord = wire.NewRecord("Program", slices.Concat(
	[]field{
		wire.Uint("flags", func(x *item) *ProgramFlags { return &x.program.Flags },
			"1 separable, 2 reflection can be looked up (nnheaders)").
			As(wire.ShowFlags(wire.ShowDec, "separable", "reflection can be looked up")).
			Must("BNSH023", wire.AtMost(uint64(knownFlags)), diag.Dec),
		wire.Uint("code_type", func(x *item) *CodeType { return &x.program.CodeType },
			"0 binary, 1 intermediate, 2 source, 3 source array (nnheaders)").
			Must("BNSH023", wire.AtMost(uint64(SourceArrayCode)), diag.Dec),
		wire.Uint("source_format", func(x *item) *SourceFormat { return &x.program.SourceFormat },
			"0 GLSL, 1 HLSL (nnheaders)").Must("BNSH023", wire.AtMost(uint64(HLSL)), diag.Dec),
		reserved("reserved", 1),
		wire.Uint("binary_format", func(x *item) *BinaryFormat { return &x.program.BinaryFormat },
			"0, or 1 packed with zlib (BfshaLibrary, nintoolbox)"),
	},
	stagePointers("code of the stage, or null", func(x *item, s Stage) uint32 {
		if at := x.program.layout.Stages[s]; at != nil {
			return at.Record
		}
		return 0
	}),
	[]field{
		reserved("reserved2", 40),
		wire.Uint("object_size", func(x *item) *uint32 { return &x.program.ObjectSize }, "bytes").As(wire.ShowHex),
		reserved("reserved3", 4),
		pointer("object", func(x *item) uint32 { return x.program.layout.Object }, "object memory, all zero"),
		pointer("parent", func(x *item) uint32 { return x.layout.variation(x.owner.variation) }, "variation"),
		pointer("reflection", func(x *item) uint32 { return x.program.layout.Reflection },
			"reflection table, or null"),
		pointer("compiler_reflection", null, "null; of unknown layout (nnheaders)"),
		reserved("reserved4", 24),
	})...)

var binaryCodeRecord = wire.NewRecord("Binary code of a stage",
	wire.Unread[item]("data_address", 8, "0; the runtime writes it").As(wire.ShowHex).
		Must("BNSH030", wire.Is(0), diag.Hex),
	pointer("control", func(x *item) uint32 { return x.place.Control }, "control blob"),
	pointer("code", func(x *item) uint32 { return x.place.Code }, "in the memory pool"),
	wire.Derived("code_size", 4, func(x *item) uint64 { return uint64(len(x.code.Code)) }, "bytes").As(wire.ShowHex),
	wire.Derived("control_size", 4, func(x *item) uint64 { return uint64(len(x.code.Control)) }, "bytes").
		As(wire.ShowHex),
	pointer("decomposed_control", null, "null; of unknown layout (nnheaders)"),
	wire.Uint("scratch_recommended", func(x *item) *uint32 { return &x.code.ScratchRecommended },
		"bytes of scratch memory (nnheaders)").As(wire.ShowHex),
	wire.Uint("scratch_per_warp", func(x *item) *uint32 { return &x.code.ScratchPerWarp }, "bytes (nnheaders)").
		As(wire.ShowHex),
	reserved("reserved", 16),
)

var packedCodeRecord = wire.NewRecord("Source, intermediate or packed code of a stage",
	wire.Derived("size", 4, func(x *item) uint64 { return uint64(len(x.code.Code)) }, "bytes").As(wire.ShowHex),
	wire.Uint("unpacked_size", func(x *item) *uint32 { return &x.code.UnpackedSize }, "bytes").As(wire.ShowHex),
	pointer("code", func(x *item) uint32 { return x.place.Code }, ""),
	reserved("reserved", 16),
)

var textCodeRecord = wire.NewRecord("Source array of a stage",
	wire.Derived("count", 2, func(x *item) uint64 { return uint64(len(x.code.Texts)) }, "texts, at least 1"),
	reserved("reserved", 6),
	pointer("text_sizes", func(x *item) uint32 { return x.place.Sizes }, "u32 for each text"),
	pointer("text_pointers", func(x *item) uint32 { return x.place.Pointers }, "a pointer for each text"),
	reserved("reserved2", 8),
)

// The elements of the two tables of a source array.
var (
	textPointerRecord = wire.NewRecord("Text pointer",
		wire.Derived("", 8, func(at *uint32) uint64 { return uint64(*at) }, "").In("text_pointers").As(showPointer))
	textSizeRecord = wire.NewRecord("Text size",
		wire.Derived("", 4, func(text *wire.Hex) uint64 { return uint64(len(*text)) }, "bytes").In("text_sizes"))
)

var reflectionRecord = wire.NewRecord("Reflection table", append(
	stagePointers("reflection of the stage, or null", func(x *item, s Stage) uint32 {
		if at := x.program.layout.Reflections[s]; at != nil {
			return at.Record
		}
		return 0
	}),
	reserved("reserved", 16))...)

var stageReflectionRecord = wire.NewRecord("Reflection of a stage",
	dictionaryPointer(Inputs),
	dictionaryPointer(Outputs),
	dictionaryPointer(Samplers),
	dictionaryPointer(ConstantBuffers),
	dictionaryPointer(UnorderedAccessBuffers),
	firstSlot(Outputs),
	firstSlot(Samplers),
	firstSlot(ConstantBuffers),
	firstSlot(UnorderedAccessBuffers),
	pointer("slots", func(x *item) uint32 { return x.names.Slots }, "s32 for each name"),
	wire.Uint("work_group.x", func(x *item) *uint32 { return &x.stage.WorkGroup[0] }, "above 0 for compute, else 0"),
	wire.Uint("work_group.y", func(x *item) *uint32 { return &x.stage.WorkGroup[1] }, ""),
	wire.Uint("work_group.z", func(x *item) *uint32 { return &x.stage.WorkGroup[2] }, ""),
	firstSlot(Images),
	dictionaryPointer(Images),
	pointer("extension", func(x *item) uint32 { return x.names.Extension }, "or null"),
)

var extensionRecord = wire.NewRecord("Extension of the reflection of a stage",
	dictionaryPointer(SeparateTextures),
	dictionaryPointer(SeparateSamplers),
	firstSlot(SeparateTextures),
	firstSlot(SeparateSamplers),
	reserved("reserved", 24),
)

var slotRecord = wire.NewRecord("Slot", wire.Word[int32]("-1: none").In("slots").As(wire.ShowSigned))

var dictionaryRecord = wire.NewRecord("Dictionary; the root and the items follow",
	signature(dictionarySignature),
	wire.Derived("count", 4, func(x *item) uint64 { return uint64(len(x.names.Dictionaries[x.owner.kind].Nodes)) - 1 },
		"s32: items, without the root").As(wire.ShowSigned),
)

var entryRecord = wire.NewRecord("Entry of a dictionary: the root, then the items", slices.Concat(
	[]wire.Field[Node]{
		wire.Uint("bit", func(n *Node) *int32 { return &n.Bit }, "to branch on; -1 in the root").As(wire.ShowSigned),
	},
	wire.Pair(func(n *Node) (*uint16, *uint16) { return &n.Left, &n.Right },
		wire.Unread[Node]("left", 2, "entry for bit 0"),
		wire.Unread[Node]("right", 2, "entry for bit 1; 0 in the root")),
	[]wire.Field[Node]{wire.Unread[Node]("key", 8, "pointer to a string").As(showPointer)},
)...)

var poolRecord = wire.NewRecord("Memory pool",
	wire.Derived("property", 4, (*item).property, "0x61 (88 files of a game)").
		As(wire.ShowFlags(wire.ShowHex, propertyNames...)).
		Must("BNSH042", wire.IsHex(usualProperty), diag.Hex),
	wire.Derived("size", 4, func(x *item) uint64 { return uint64(x.layout.Pool.Size) }, "multiple of 0x1000").
		As(wire.ShowHex),
	pointer("memory", func(x *item) uint32 { return x.layout.Pool.Memory }, "multiple of 0x1000"),
	reserved("reserved", 16),
	pointer("object", func(x *item) uint32 { return x.layout.Pool.Object }, "0x140 zero bytes for the runtime"),
	reserved("reserved2", 8),
	reserved("current_pool", 8),
	reserved("reserved3", 24),
)

var stringsRecord = wire.NewRecord("String block; the strings follow", slices.Concat(
	blockFields(stringsSignature, func(*item) uint64 { return 0 }),
	[]field{
		wire.Derived("size", 4, func(x *item) uint64 { return uint64(x.layout.Relocations - x.layout.Strings) },
			"bytes").
			As(wire.ShowHex),
		reserved("reserved", 4),
		wire.Derived("count", 4, func(x *item) uint64 { return uint64(len(x.layout.StringPool)) - 1 },
			"strings, without the first"),
	})...)

var relocationRecord = wire.NewRecord("Relocation table; the sections and then their entries follow",
	signature(relocationSignature),
	wire.Derived("offset", 4, func(x *item) uint64 { return uint64(x.layout.Relocations) }, "of this table").
		As(wire.ShowHex),
	wire.Derived("section_count", 4, func(*item) uint64 { return numSections }, "s32: 6").As(wire.ShowSigned),
	reserved("reserved", 4),
)

// sectionFields is the model of a section of the relocation table.
type sectionFields struct {
	*Section
	first, count int32
}

var sectionRecord = wire.NewRecord("Section",
	wire.Unread[sectionFields]("pointer", 8, "0; the runtime writes it").As(wire.ShowHex).
		Must("BNSH072", wire.Is(0), diag.Hex),
	wire.Uint("position", func(s *sectionFields) *uint32 { return &s.Position }, "").As(wire.ShowHex),
	wire.Uint("size", func(s *sectionFields) *uint32 { return &s.Size }, "bytes").As(wire.ShowHex),
	wire.Uint("first", func(s *sectionFields) *int32 { return &s.first }, "entries of the sections before").
		As(wire.ShowSigned),
	wire.Uint("count", func(s *sectionFields) *int32 { return &s.count }, "entries").As(wire.ShowSigned),
)

var relocationEntryRecord = wire.NewRecord("Relocation entry",
	wire.Uint("position", func(e *RelocationEntry) *uint32 { return &e.Position }, "of the first pointer").
		As(wire.ShowHex),
	wire.Uint("structs", func(e *RelocationEntry) *uint16 { return &e.Structs }, "number of repetitions"),
	wire.Uint("pointers", func(e *RelocationEntry) *uint8 { return &e.Pointers }, "consecutive pointers"),
	wire.Uint("padding", func(e *RelocationEntry) *uint8 { return &e.Padding },
		"words of 8 bytes between repetitions (material_parser)"),
)

// Records lists the records in the order of doc.go.
var Records = []wire.Documented{
	headerRecord, containerRecord, variationRecord, programRecord, binaryCodeRecord, packedCodeRecord, textCodeRecord,
	reflectionRecord, stageReflectionRecord, extensionRecord, dictionaryRecord, entryRecord, poolRecord,
	stringsRecord, relocationRecord, sectionRecord, relocationEntryRecord,
}

// Sizes of the records.
var (
	headerSize          = uint64(headerRecord.Bytes)
	containerSize       = uint64(containerRecord.Bytes)
	variationSize       = uint64(variationRecord.Bytes)
	programSize         = uint64(programRecord.Bytes)
	reflectionSize      = uint64(reflectionRecord.Bytes)
	stageReflectionSize = uint64(stageReflectionRecord.Bytes)
	extensionSize       = uint64(extensionRecord.Bytes)
	dictionaryHeadSize  = uint64(dictionaryRecord.Bytes)
	entrySize           = uint64(entryRecord.Bytes)
	poolSize            = uint64(poolRecord.Bytes)
	stringsHeadSize     = uint64(stringsRecord.Bytes)
	relocationHeadSize  = uint64(relocationRecord.Bytes)
	sectionSize         = uint64(sectionRecord.Bytes)
	relocationEntrySize = uint64(relocationEntryRecord.Bytes)
	minFileSize         = headerSize + containerSize
)

// Offsets of fields that the reader reads by themselves.
var (
	headerNameAt        = headerRecord.Offset("name")
	headerContainerAt   = headerRecord.Offset("container")
	headerRelocationsAt = headerRecord.Offset("relocation_table")
	headerFileSizeAt    = headerRecord.Offset("file_size")

	containerNextAt       = containerRecord.Offset("next")
	containerCountAt      = containerRecord.Offset("variation_count")
	containerVariationsAt = containerRecord.Offset("variations.pointer")
	containerPoolAt       = containerRecord.Offset("pool.pointer")

	variationParentAt = variationRecord.Offset("parent.pointer")

	programStagesAt     = programRecord.Offset("vertex.pointer")
	programObjectAt     = programRecord.Offset("object.pointer")
	programParentAt     = programRecord.Offset("parent.pointer")
	programReflectionAt = programRecord.Offset("reflection.pointer")
	programCompilerAt   = programRecord.Offset("compiler_reflection.pointer")

	binaryControlAt     = binaryCodeRecord.Offset("control.pointer")
	binaryCodeAt        = binaryCodeRecord.Offset("code.pointer")
	binaryCodeSizeAt    = binaryCodeRecord.Offset("code_size")
	binaryControlSizeAt = binaryCodeRecord.Offset("control_size")
	binaryDecomposedAt  = binaryCodeRecord.Offset("decomposed_control.pointer")
	packedSizeAt        = packedCodeRecord.Offset("size")
	packedCodeAt        = packedCodeRecord.Offset("code.pointer")
	textCountAt         = textCodeRecord.Offset("count")
	textSizesAt         = textCodeRecord.Offset("text_sizes.pointer")
	textPointersAt      = textCodeRecord.Offset("text_pointers.pointer")

	slotsAt           = stageReflectionRecord.Offset("slots.pointer")
	workGroupAt       = stageReflectionRecord.Offset("work_group.x")
	extensionAt       = stageReflectionRecord.Offset("extension.pointer")
	dictionaryCountAt = dictionaryRecord.Offset("count")
	keyAt             = entryRecord.Offset("key")

	poolPropertyAt = poolRecord.Offset("property")
	poolSizeAt     = poolRecord.Offset("size")
	poolMemoryAt   = poolRecord.Offset("memory.pointer")
	poolObjectAt   = poolRecord.Offset("object.pointer")

	stringsNextAt     = stringsRecord.Offset("next")
	stringsSizeAt     = stringsRecord.Offset("size")
	stringsCountAt    = stringsRecord.Offset("count")
	relocationSelfAt  = relocationRecord.Offset("offset")
	relocationCountAt = relocationRecord.Offset("section_count")
)

// dictionaryAt has the offset of the pointer to the dictionary of each kind.
var dictionaryAt = func() (offsets [NumKinds]uint64) {
	for k := range Kind(NumKinds) {
		offsets[k] = parts[holder(k)].fields.At(0, diag.Path{Field: k.String() + pointerSuffix}).Off
	}
	return offsets
}()

// signature declares the characters at the start of a record.
func signature(text string) field {
	f := wire.Magic[item](text)
	f.Name = "signature"
	return f
}

// blockFields declares the first two fields of a block.
func blockFields(text string, next func(*item) uint64) []field {
	return []field{
		signature(text),
		wire.Derived("next", 4, next, "offset of the next block from this one; 0 in the last").As(wire.ShowHex),
	}
}

// reserved declares bytes that must be zero.
func reserved(name string, size int) field { return wire.Unread[item](name, size, "0").Opaque() }

// pointer declares a pointer: an offset from the start of the file, or 0.
// target returns the offset from the layout.
func pointer(name string, target func(*item) uint32, doc string) field {
	return wire.Derived(name+pointerSuffix, 8, func(x *item) uint64 { return uint64(target(x)) }, doc).As(showPointer)
}

const pointerSuffix = ".pointer"

// null is the target of a pointer that must be null.
func null(*item) uint32 { return 0 }

// pointersOf returns the offsets of the pointers in a record. A pointer whose
// record holds nothing else has no name.
func pointersOf(record diag.Struct) (offsets []uint64) {
	off := uint64(0)
	for _, f := range record {
		if f.Size == 8 && (strings.HasSuffix(f.Name, pointerSuffix) || f.Name == "key" || f.Name == "") {
			offsets = append(offsets, off)
		}
		off += uint64(f.Size)
	}
	return offsets
}

func stagePointers(doc string, target func(*item, Stage) uint32) []field {
	list := make([]field, NumStages)
	for s := range Stage(NumStages) {
		list[s] = pointer(s.String(), func(x *item) uint32 { return target(x, s) }, doc)
		doc = ""
	}
	return list
}

func dictionaryPointer(k Kind) field {
	return pointer(k.String(), func(x *item) uint32 { return x.names.Dictionaries[k].Offset }, "dictionary, or null")
}

func firstSlot(k Kind) field {
	return wire.Uint(k.String()+".first", func(x *item) *int32 { return &x.stage.Tables[k].First },
		"index of the first slot").
		As(wire.ShowSigned)
}

func showPointer(n uint64) string {
	if n == 0 {
		return "null"
	}
	return wire.ShowHex(n)
}
