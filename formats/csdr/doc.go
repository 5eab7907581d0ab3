// Package csdr reads and writes .csdr, shaders in NintendoWare's intermediate
// format: an XML text that holds DVLBs in Base64.
//
// Provisional: no official file was at hand; fields may change when one is.
//
// Call [Parse] for the model of a file, [File.AppendBinary] for its bytes, [Check] for all
// findings, and [Outline] for the owner of every byte, of a refused file too.
//
// No official file is public; GBATEK quotes the outline and the two ends of a
// Base64 text:
//
//	<NintendoWareIntermediateFile>
//	    <GraphicsContentCtr Namespace="" Version="0.7.0">
//	        <EditData> ... </EditData>
//	        <Shaders>
//	            <ShaderCtr Name="DefaultShader">
//	                <BinaryData>Base64 of one DVLB</BinaryData>
//	                <ShaderKinds> ... </ShaderKinds>
//	                <Descriptions> ... </Descriptions>
//	            </ShaderCtr>
//	        </Shaders>
//	    </GraphicsContentCtr>
//	</NintendoWareIntermediateFile>
//
// Lines end in CR LF and are indented with TABs; the Base64 is one line. What
// EditData, ShaderKinds and Descriptions hold, whether there can be more than
// one ShaderCtr, and whether files begin with an XML declaration is unknown:
// those elements are kept as they stand, several shaders are read and written,
// and the declaration is optional.
//
// # Why not encoding/xml
//
// A strict reader has to refuse what is not well-formed, has to know where
// every byte belongs, and must not pay for hostile input. encoding/xml accepts
// an attribute twice and text behind the root, replaces prefixes, normalises
// line ends, and allocates for every token. The scanner here follows XML 1.0
// without document types: a DOCTYPE is refused, so that entities are the five
// of the standard and nothing is ever expanded; elements nest 64 deep at most;
// the only encoding is UTF-8.
//
// # Writing
//
// A file that was read is written as it was, with the Base64 of changed DVLBs
// replaced. The canonical form is the outline above with a declaration;
// comments, unknown elements and white space are not in it.
package csdr
