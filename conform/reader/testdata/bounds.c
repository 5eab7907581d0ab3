/* A loader of SHBIN files that copies each table into an array of its size: bounds MISSING IN.
   It leaves out the bound MISSING, "none" for none, and then reads or writes outside an array; a
   build with sanitizers notices. bounds_test.go has a model of it. Exit status 0 accepts, 1
   refuses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *missing;
static uint64_t size, words, descriptor_count;
static uint8_t *data, *kept[1 << 16]; /* all arrays, so that none is lost */
static int arrays;
static uint64_t sum; /* what is read goes here, so that reading is not left out */

#define MARK(bytes, i) (sum += (bytes)[i]++)

/* Freed arrays take no memory for long. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "quarantine_size_mb=1"; }

/* keeps tells whether the program may go on: the bound is kept, or left out */
static int keeps(const char *name, int ok) { return ok || strcmp(missing, name) == 0; }

static void need(const char *name, int ok) {
    if (keeps(name, ok)) return;
    fprintf(stderr, "refused: %s\n", name);
    exit(1);
}

/* array returns n bytes of zero. */
static uint8_t *array(uint64_t n) { return kept[arrays++ % (1 << 16)] = calloc(n, 1); }

/* drop ends the use of the last array. */
static void drop(void) { free(kept[--arrays % (1 << 16)]); }

/* copy returns n bytes of the file in an array of their own. */
static uint8_t *copy(uint64_t at, uint64_t n) {
    uint8_t *bytes = array(n);
    for (uint64_t i = 0; i < n; i++) bytes[i] = data[at + i];
    return bytes;
}

static uint32_t u16(const uint8_t *p) { return p[0] | p[1] << 8; }
static uint32_t u32(const uint8_t *p) { return u16(p) | u16(p + 2) << 16; }
static void magic(const uint8_t *p, const char *text) { need("magic", memcmp(p, text, 4) == 0); }

/* table returns the array of a table at an offset from at; below low is a header. */
static uint8_t *table(const char *name, const char *count, uint64_t at, uint64_t low, uint64_t off, uint64_t n,
                      uint64_t item) {
    char bound[64];
    uint8_t *rest = copy(at + low, size - at - low);
    snprintf(bound, sizeof bound, "%s.low", name);
    need(bound, off >= low);
    snprintf(bound, sizeof bound, "%s.offset", name);
    need(bound, at + off <= size);
    sum += off > low && n > 0 ? rest[off - low - 1] : 0;
    snprintf(bound, sizeof bound, "%s.%s", name, count);
    need(bound, at + off + n * item <= size);
    if (n > 0) sum += rest[off - low] + rest[off - low + n * item - 1];
    drop();
    return copy(at + off, n * item);
}

/* check_name reads a name. */
static void check_name(const char *name, const char *end, const uint8_t *names, uint64_t n, uint64_t off) {
    need(name, off < n);
    sum += names[off];
    need(end, off < n && memchr(names + off, 0, n - off) != NULL);
    while (names[off] != 0) sum += names[off++];
}

static uint8_t code[4 * 4096], descriptors[8 * 128];

static void program(uint64_t at, uint64_t entries) {
    uint8_t *header = copy(at, 28), *all, *lines, *names = NULL, *line_words = NULL;
    uint64_t first = u32(header + 8), n, length;
    words = u32(header + 12), descriptor_count = u32(header + 20);
    for (uint64_t i = 0; i < entries; i++) {
        uint64_t entry = u32(data + 8 + 4 * i);
        first = entry - at < first ? entry - at : first;
    }
    if (descriptor_count > 0 && u32(header + 16) < first) first = u32(header + 16);
    need("short header", first >= 28);
    all = table("code", "count", at, 0, u32(header + 8), words, 4);
    need("code.most", words <= 4096);
    for (uint64_t i = 0; i < 4 * words; i++) code[i] = all[i];
    if (descriptor_count > 0) {
        all = table("descriptors", "count", at, 0, u32(header + 16), descriptor_count, 8);
        need("descriptors.most", descriptor_count <= 128);
        for (uint64_t i = 0; i < 8 * descriptor_count; i++) descriptors[i] = all[i];
    }
    for (uint64_t i = 0; i < words; i++) {
        uint32_t w = u32(code + 4 * i), op = w >> 26, to = w >> 10 & 0xFFF;
        if (op == 0) { /* add */
            if (!keeps("code.descriptor", (w & 0x7F) < descriptor_count)) continue;
            MARK(array(descriptor_count), w & 0x7F);
            drop();
        }
        if ((0x24 <= op && op <= 0x26) || op == 0x2C || op == 0x2D) { /* calls and jumps */
            if (!keeps("code.target", to < words)) continue;
            MARK(array(words), to);
            drop();
        }
    }
    if (first < 40) return;
    header = copy(at, 40);
    n = u32(header + 28), length = u32(header + 36);
    if (length > 0) names = table("file_names", "size", at, 0, u32(header + 32), length, 1);
    if (n == 0) return;
    need("lines aligned", u32(header + 24) % 4 == 0);
    lines = table("lines", "count", at, 0, u32(header + 24), n, 8);
    line_words = array(words);
    for (uint64_t i = 0; i < n; i++) {
        if (keeps("lines.words", i < words)) MARK(line_words, i);
        check_name("lines.name", "file_names.end", names, length, u32(lines + 8 * i));
    }
}

static void constants(const uint8_t *p, uint64_t n) {
    static uint8_t types[3], bools[16], ints[4], floats[96];
    for (; n > 0; n--, p += 20) {
        need("constants.type", p[0] <= 2);
        MARK(types, p[0]);
        if (p[0] == 0) need("constants.bool", p[2] < 16), MARK(bools, p[2]);
        if (p[0] == 1) need("constants.int", p[2] < 4), MARK(ints, p[2]);
        if (p[0] == 2) need("constants.float", p[2] < 96), MARK(floats, p[2]);
    }
}

static void labels(const uint8_t *p, uint64_t n, const uint8_t *symbols, uint64_t length) {
    uint8_t *ids = array(n), *marks = array(words + 1);
    for (uint64_t i = 0; i < n; i++, p += 16) {
        uint64_t word = u32(p + 4), last = u32(p + 8);
        if (keeps("labels.id", u16(p) < n)) MARK(ids, u16(p));
        need("labels.word", word <= words);
        MARK(marks, word);
        need("labels.length", last == 0xFFFFFFFF || word + last <= words);
        if (last != 0xFFFFFFFF) MARK(marks, word + last);
        check_name("labels.name", "symbols.end", symbols, length, u32(p + 12));
    }
}

static void outputs(const uint8_t *p, uint64_t n) {
    static uint8_t semantics[10], registers[16], masks[16];
    for (; n > 0; n--, p += 8) {
        need("outputs.semantic", u16(p) <= 9);
        MARK(semantics, u16(p));
        need("outputs.register", u16(p + 2) <= 15);
        MARK(registers, u16(p + 2));
        need("outputs.mask", u16(p + 4) <= 15);
        MARK(masks, u16(p + 4));
    }
}

static int class_of(uint32_t r) {
    if (r >= 0x88 || (0x74 <= r && r < 0x78)) return -1;
    return r < 0x10 ? 0 : r < 0x70 ? 1 : r < 0x74 ? 2 : 3;
}

static void uniforms(const uint8_t *p, uint64_t n, const uint8_t *symbols, uint64_t length) {
    static uint8_t registers[0x88];
    for (; n > 0; n--, p += 8) {
        uint32_t first = u16(p + 4), last = u16(p + 6);
        check_name("uniforms.name", "symbols.end", symbols, length, u32(p));
        need("uniforms.first", first < 0x88);
        MARK(registers, first);
        need("uniforms.last", last < 0x88);
        MARK(registers, last);
        need("class", class_of(first) >= 0 && class_of(first) == class_of(last) && first <= last);
    }
}

static void entry(uint64_t at) {
    static const char *names[5] = {"constants", "labels", "outputs", "uniforms", "symbols"};
    static const uint64_t item[5] = {20, 16, 8, 8, 1};
    static uint8_t types[2], merges[2], modes[3], floats[96], vertices[32], fixed[16];
    uint8_t *h = copy(at, 64), *tables[5] = {NULL};
    uint64_t n[5];
    magic(h, "DVLE");
    need("dvle.type", h[6] <= 1);
    MARK(types, h[6]);
    if (keeps("dvle.merge", h[7] <= 1)) MARK(merges, h[7]);
    need("dvle.entry", u32(h + 8) < words);
    MARK(array(words), u32(h + 8));
    drop();
    need("dvle.end", u32(h + 12) <= words);
    MARK(array(words + 1), u32(h + 12));
    drop();
    if (h[6] == 1) {
        need("geometry.mode", h[20] <= 2);
        MARK(modes, h[20]);
        if (h[20] == 1 && keeps("geometry.variable_count", 1 <= h[22] && h[22] <= 32)) MARK(vertices, h[22] - 1);
        if (h[20] == 2) {
            need("geometry.first", h[21] <= 95);
            MARK(floats, h[21]);
            if (keeps("geometry.fixed_count", 1 <= h[23] && h[23] <= 16)) MARK(fixed, h[23] - 1);
        }
    }
    for (int k = 0; k < 5; k++) {
        n[k] = u32(h + 28 + 8 * k);
        if (n[k] == 0) continue;
        tables[k] = table(names[k], k == 4 ? "size" : "count", at, 64, u32(h + 24 + 8 * k), n[k], item[k]);
    }
    constants(tables[0], n[0]);
    labels(tables[1], n[1], tables[4], n[4]);
    outputs(tables[2], n[2]);
    uniforms(tables[3], n[3], tables[4], n[4]);
}

int main(int argc, char **argv) {
    FILE *f;
    uint64_t entries, head;
    if (argc < 3 || (f = fopen(argv[2], "rb")) == NULL || fseek(f, 0, SEEK_END) != 0) return 126;
    missing = argv[1], size = (uint64_t)ftell(f);
    rewind(f);
    data = malloc(size);
    if (size > 0 && fread(data, 1, size, f) != size) return 126;
    fclose(f);
    need("dvlb.size", size >= 8);
    magic(data, "DVLB");
    entries = u32(data + 4), head = 8 + 4 * entries;
    need("no entry", entries > 0);
    need("dvlb.count", head <= size);
    for (uint64_t i = 0; i < entries; i++) {
        uint64_t at = u32(data + 8 + 4 * i);
        uint8_t *rest = copy(head, size - head);
        need("dvlb.offsets.low", at >= head);
        need("dvlb.offsets.high", at + 64 <= size);
        sum += rest[at - head] + rest[at - head + 63];
        drop();
    }
    need("short file", head + 28 <= size);
    magic(data + head, "DVLP");
    program(head, entries);
    for (uint64_t i = 0; i < entries; i++) entry(u32(data + 8 + 4 * i));
    return sum == 1 ? 0 : 0;
}
