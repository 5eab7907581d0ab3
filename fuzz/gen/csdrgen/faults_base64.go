package csdrgen

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// inBase64 spoils a Base64 text. change cuts the text in three; the middle part is wrong and stays as it is. The reader
// reports its first byte.
func inBase64(change func(c *gen.Choices, base64 string) (before, at, after string)) spoil {
	return insideBase64(change, func(d *document, o object, wrong *piece) where {
		return wrong.firstByte(d.pathOf(o, "binary_data"))
	})
}

func insideBase64(change func(c *gen.Choices, base64 string) (before, at, after string),
	reported func(d *document, o object, wrong *piece) where) spoil {
	return changed(func(c *gen.Choices, d *document) where {
		o := gen.Pick(c, d.objects)
		before, at, after := change(c, base64.StdEncoding.EncodeToString(o.DVLB))
		wrong := raw(at)
		o.binary.inside = slices.Concat(pieces(c, before), []*piece{wrong}, pieces(c, after))
		return reported(d, o, wrong)
	})
}

// asBase64 replaces a Base64 text. The reader reports all of it.
func asBase64(change func(c *gen.Choices, base64 string) string) spoil {
	return changed(func(c *gen.Choices, d *document) where {
		o := gen.Pick(c, d.objects)
		o.binary.inside = pieces(c, change(c, base64.StdEncoding.EncodeToString(o.DVLB)))
		return o.binary.content(d.pathOf(o, "binary_data"))
	})
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

var base64Faults = []fault{
	{rule: "CSDR013", spoil: inBase64(func(c *gen.Choices, base64 string) (string, string, string) {
		i := c.Below(len(base64) + 1)
		space := gen.Pick(c, []string{" ", "\t", "\r\n", "&#32;", "&#9;", "&#xA;", "&#13;"})
		return base64[:i], gen.Only(c, space, ""), base64[i:]
	})},
	// A character of no alphabet, or of another.
	{rule: "CSDR014", spoil: inBase64(func(c *gen.Choices, base64 string) (string, string, string) {
		i := c.Below(len(strings.TrimRight(base64, "=")))
		wrong := gen.Pick(c, []string{"-", "_", ".", ",", "*", "@", "[", "`", "{", ":", "!", "\x7F", "&#x80;",
			"\u00E9", "\u0141", "&amp;", "&#65345;"})
		return base64[:i], gen.Only(c, wrong, base64[i:i+1]), base64[i+1:]
	})},
	// Padding in the middle: the characters behind it are wrong.
	{rule: "CSDR014", spoil: inBase64(func(c *gen.Choices, base64 string) (string, string, string) {
		last := len(strings.TrimRight(base64, "=")) - 1
		i := c.Below(last)
		return base64[:i] + gen.Only(c, "=", base64[i:i+1]), base64[i+1 : i+2], base64[i+2:]
	})},
	// More padding than a group can have.
	{rule: "CSDR014", spoil: inBase64(func(c *gen.Choices, base64 string) (string, string, string) {
		if gen.Only(c, false, true) {
			return base64, "", ""
		}
		return base64[:len(base64)-3] + "==", "=", gen.Pick(c, []string{"", "", "=", "===", "===="})
	})},
	// No whole group at the end, or nothing at all.
	{rule: "CSDR014", spoil: asBase64(func(c *gen.Choices, base64 string) string {
		if gen.Only(c, false, true) {
			return base64
		}
		base64 = strings.TrimRight(base64, "=")
		base64 = base64[:len(base64)&^3] + alphabet[:1+c.Below(3)]
		if len(base64)%4 == 1 {
			return base64 + gen.Pick(c, []string{"", "=", "=="})
		}
		return base64
	})},
	{rule: "CSDR014", spoil: asBase64(func(c *gen.Choices, base64 string) string { return gen.Only(c, "", base64) })},
	{rule: "CSDR014", onlyValid: true, spoil: changed(func(c *gen.Choices, d *document) where {
		o := gen.Pick(c, d.objects)
		o.binary.inside, o.binary.short = nil, true
		return o.binary.content(d.pathOf(o, "binary_data"))
	})},
	// Such an element is also one that the outline does not have.
	{rule: "CSDR014", also: []string{"CSDR011"},
		spoil: inBase64(func(c *gen.Choices, base64 string) (string, string, string) {
			i := c.Below(len(base64) + 1)
			element := opaque(c, gen.Pick(c, append(unknownNames, "EditData", "BinaryData")), 6, "\r\n")
			return base64[:i], gen.Only(c, element, ""), base64[i:]
		})},
	// The text behind an empty element is not its content.
	{rule: "CSDR014", also: []string{"CSDR011"}, onlyValid: true,
		spoil: changed(func(c *gen.Choices, d *document) where {
			o := gen.Pick(c, d.objects)
			o.element.inside = []*piece{o.binary, text(base64.StdEncoding.EncodeToString(o.DVLB))}
			o.binary.inside, o.binary.short = nil, true
			return o.binary.content(d.pathOf(o, "binary_data"))
		})},
	{rule: "CSDR015", shape: shape{unused: true},
		spoil: inBase64(func(c *gen.Choices, base64 string) (string, string, string) {
			chars := strings.TrimRight(base64, "=")
			last := len(chars) - 1
			unused := 1 << (2 * (len(base64) - len(chars)))
			wrong := strings.IndexByte(alphabet, chars[last]) + gen.Only(c, 1+c.Below(unused-1), 0)
			return chars[:last], alphabet[wrong : wrong+1], base64[last+1:]
		})},
}

// dvlbFaults has an entry for every fault of a DVLB with severity error. The finding of the DVLB comes with a finding
// of the text.
func dvlbFaults() (list []fault) {
	for _, f := range shbingen.EmbeddedFaults() {
		list = append(list, fault{rule: "CSDR016", also: f.Also, missBreaks: f.MissBreaks,
			spoil: asBase64(func(c *gen.Choices, _ string) string {
				return base64.StdEncoding.EncodeToString(f.Bytes(c))
			})})
	}
	return list
}
