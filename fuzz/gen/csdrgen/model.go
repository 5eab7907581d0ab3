// Package csdrgen serves this module: it makes valid CSDR texts (.csdr) from choices, and CSDR
// texts that break a rule.
package csdrgen

import (
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/pica"
)

// Model draws a file that the writer accepts, odd ones included: without
// shaders, of other versions, with other line ends, with DVLBs about which there
// are warnings.
func Model(c *gen.Choices) *csdr.File {
	f := draw(c, shape{odd: true})
	f.Version = gen.Pick(c, []string{usualVersion, "1.3.0", "", characters(c)})
	if c.Below(8) == 7 {
		f.Objects = nil
	}
	return f
}

const usualVersion = "0.7.0"

// shape holds the demands on a drawn file.
type shape struct {
	shaders int  // at least
	unused  bool // bits of each Base64 that belong to no byte
	odd     bool // constructs that earn warnings are allowed
}

func draw(c *gen.Choices, shape shape) *csdr.File {
	end := "\r\n"
	if shape.odd && c.Chance(4) {
		end = "\n"
	}
	f := &csdr.File{Version: usualVersion, EditData: maybe(c, "EditData", 3, end)}
	seen := map[string]bool{}
	for i := range max(1+c.Below(4)/2+c.Below(5)/4, shape.shaders) {
		o := csdr.Object{
			Name: characters(c), DVLB: dvlb(c, shape),
			EditData: maybe(c, "EditData", 5, end), ShaderKinds: maybe(c, "ShaderKinds", 5, end),
			Descriptions: maybe(c, "Descriptions", 5, end),
		}
		if o.Name == "" || seen[o.Name] {
			o.Name += strconv.Itoa(i)
		}
		seen[o.Name] = true
		f.Objects = append(f.Objects, o)
	}
	return f
}

// dvlb draws a DVLB; an odd one may have warnings.
func dvlb(c *gen.Choices, shape shape) []byte {
	b := shbingen.Embedded(c, shape.odd)
	if shape.unused && len(b)%3 == 0 {
		return shortest
	}
	return b
}

// shortest is a DVLB of 124 bytes, no multiple of 3.
var shortest, _ = (&shbin.File{
	DVLP:  shbin.DVLP{Code: []uint32{uint32(pica.NOP) << 26, uint32(pica.END) << 26}},
	DVLEs: []shbin.DVLE{{End: 1}},
}).AppendBinary(nil)

// characters draws a text: of characters of which some cannot stand as they
// are, and some are at the ends of the ranges of XML.
func characters(c *gen.Choices) string {
	if c.Chance(6) {
		return gen.Pick(c, []string{"DefaultShader", "a", "nwgfx_ParticleDefaultShader", " ", "'", "&amp;",
			strings.Repeat("x", 300)})
	}
	list := []rune("ab<>&\"'\t\r\n =]/;#\u0085\u00E9\u0301\u2028\uD7FF\uE000\uFEFF\uFFFD\U00010000\U0010FFFF")
	var b strings.Builder
	for range c.Below(8) {
		b.WriteRune(gen.Pick(c, list))
	}
	return b.String()
}

// maybe draws an opaque element in two of five texts, else "". depth is the number of elements around its contents.
func maybe(c *gen.Choices, name string, depth int, end string) string {
	if c.Below(5) < 3 {
		return ""
	}
	return opaque(c, name, depth, end)
}

// opaque draws an element with anything in it.
func opaque(c *gen.Choices, name string, depth int, end string) string {
	tag := "<" + name
	for i := range c.Below(3) {
		tag += gen.Pick(c, []string{" ", end, "\t"}) + gen.Pick(c, []string{"Name", "a", "x:b", "_\u00E9"}) +
			strconv.Itoa(i) + gen.Pick(c, []string{`=""`, ` = '>"'`, `="&lt;']]>"`, "='a" + end + "b'"})
	}
	if c.Chance(4) {
		return tag + gen.Pick(c, []string{"/>", " />"})
	}
	body := tag + gen.Pick(c, []string{">", end + ">"})
	for range c.Below(4) {
		body += gen.Pick(c, []string{
			"text &amp; &#x3C;&apos;", end + "\t", "]] >", "<!-- - <a> -->", "<![CDATA[</EditData>]]>", "<![CDATA[]]>",
			"<?pi <x> ?>", "<?p?>",
			"<Shaders/>", "<BinaryData>\u00E9</BinaryData >",
			strings.Repeat("<a>", maxDepth-depth) + strings.Repeat("</a>", maxDepth-depth),
		})
	}
	return body + "</" + name + gen.Pick(c, []string{">", " >", end + ">"})
}

// maxDepth is the depth to which elements may nest.
const maxDepth = 64
