meta:
  id: shbin
  title: "DVLB/DVLP/DVLE shader binary"
  file-extension:
    - shbin
  endian: le
instances:
  dvlb:
    pos: 0x0
    type: dvlb_header
  dvlb_offsets:
    pos: 0x8
    type: dvle_offset
  dvlp:
    pos: 0xc
    type: dvlp_header
  dvlp_code:
    pos: 0x34
    type: code_word
    repeat: expr
    repeat-expr: 31
  dvlp_descriptors:
    pos: 0xb0
    type: operand_descriptor
    repeat: expr
    repeat-expr: 12
  dvle:
    pos: 0x110
    type: dvle_header
  dvle_0_outputs:
    pos: 0x150
    type: output
    repeat: expr
    repeat-expr: 2
  dvle_0_uniforms:
    pos: 0x160
    type: uniform_or_input
    repeat: expr
    repeat-expr: 3
types:
  dvlb_header:
    doc: "DVLB header; the DVLE offsets follow, then the DVLP"
    seq:
      - id: magic
        contents: [0x44, 0x56, 0x4c, 0x42]
        doc: "\"DVLB\""
      - id: count
        type: u4
        doc: "number of DVLEs, at least 1"
  dvle_offset:
    doc: "DVLE offset"
    seq:
      - id: value
        type: u4
        doc: "from the start of the file"
  dvlp_header:
    doc: "DVLP header; offsets are from its start"
    seq:
      - id: magic
        contents: [0x44, 0x56, 0x4c, 0x50]
        doc: "\"DVLP\""
      - id: version
        type: u4
        doc: "low half: tool version, low byte major (GBATEK); upper half unknown, 0 so far"
      - id: code_offset
        type: u4
      - id: code_count
        type: u4
        doc: "words (3dbrew); 1 to 4096"
      - id: descriptors_offset
        type: u4
      - id: descriptors_count
        type: u4
        doc: "up to 128 (3dbrew)"
      - id: lines_offset
        type: u4
        doc: "a short header ends here"
      - id: lines_count
        type: u4
        doc: "GBATEK; 3dbrew: unknown, 0"
      - id: file_names_offset
        type: u4
      - id: file_names_size
        type: u4
        doc: "bytes (GBATEK, 3dbrew)"
  dvle_header:
    doc: "DVLE header; offsets are from its start"
    seq:
      - id: magic
        contents: [0x44, 0x56, 0x4c, 0x45]
        doc: "\"DVLE\""
      - id: version
        type: u2
        doc: "as in the DVLP; 0x1002 from picasso"
      - id: type
        type: u1
        doc: "0 vertex, 1 geometry"
      - id: merge
        type: u1
        doc: "1: merge the output maps of vertex and geometry shader (3dbrew)"
      - id: entry
        type: u4
        doc: "first word"
      - id: end
        type: u4
        doc: "word after the last; 0 from nihstro and Azahar"
      - id: input_mask
        type: u2
        doc: "bit i: vi is used (3dbrew); 0 from nihstro and aemstro"
      - id: output_mask
        type: u2
        doc: "bit i: oi is declared (3dbrew); 0 from nihstro and aemstro"
      - id: geometry_mode
        type: u1
        doc: "0 point, 1 variable, 2 fixed (3dbrew)"
      - id: geometry_first
        type: u1
        doc: "fixed: first float register that receives the vertices (3dbrew)"
      - id: geometry_variable_count
        type: u1
        doc: "variable: number of fully defined vertices (3dbrew)"
      - id: geometry_fixed_count
        type: u1
        doc: "fixed: number of vertices (3dbrew)"
      - id: constants_offset
        type: u4
      - id: constants_count
        type: u4
      - id: labels_offset
        type: u4
      - id: labels_count
        type: u4
      - id: outputs_offset
        type: u4
      - id: outputs_count
        type: u4
      - id: uniforms_offset
        type: u4
      - id: uniforms_count
        type: u4
        doc: "inputs too"
      - id: symbols_offset
        type: u4
      - id: symbols_size
        type: u4
        doc: "bytes, padding not included"
  operand_descriptor:
    doc: "Operand descriptor"
    seq:
      - id: word
        type: u4
        doc: "for the GPU; bit 31 is set in official files (GBATEK)"
      - id: flags
        type: u4
        doc: "unknown; 15, 7, 3 in official files (GBATEK), 15 from aemstro, 0 from others"
  line:
    doc: "Line"
    seq:
      - id: name
        type: u4
        doc: "offset of a file name"
      - id: line
        type: u4
        doc: "source line of the code word with the same index (GBATEK)"
  constant:
    doc: "Constant"
    seq:
      - id: type
        type: u1
        doc: "0 bool, 1 int, 2 float"
      - id: reserved1
        type: u1
        doc: "0"
      - id: register
        type: u1
        doc: "in its class: b0-b15, i0-i3, c0-c95"
      - id: reserved3
        type: u1
        doc: "0"
      - id: payload
        size: 16
        doc: "bool: u32 0 or 1; int: u8 x, y, z, w; float: four words with a float24 each"
  label:
    doc: "Label"
    seq:
      - id: id
        type: u2
        doc: "its position in official files (GBATEK)"
      - id: flags
        type: u2
        doc: "unknown; 1 in official files (3dbrew), 0 from others"
      - id: word
        type: u4
        doc: "the word that the label names; may be the code length"
      - id: length
        type: u4
        doc: "in words; 0xFFFFFFFF none (GBATEK), 0 from others"
      - id: name
        type: u4
        doc: "offset in the symbols"
  output:
    doc: "Output"
    seq:
      - id: semantic
        type: u2
        doc: "0 position to 9 dummy without 7: see Semantic"
      - id: register
        type: u2
        doc: "o0-o15"
      - id: mask
        type: u2
        doc: "bit 0 = x"
      - id: unknown
        type: u2
        doc: "one value throughout an official DVLE (3dbrew), 0 from others"
  uniform_or_input:
    doc: "Uniform or input"
    seq:
      - id: name
        type: u4
        doc: "offset in the symbols"
      - id: first
        type: u2
        doc: "0x00 v0, 0x10 c0, 0x70 i0, 0x78 b0"
      - id: last
        type: u2
        doc: "inclusive"
  code_word:
    doc: "Code word"
    seq:
      - id: value
        type: u4
        doc: "an instruction"
