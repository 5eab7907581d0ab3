/* A reader of SHBIN files with faults that can be switched on: reader FAULT IN [OUT].
   With FAULT "none" it accepts and refuses what it should, in linear time. Exit status
   0 accepts, 1 refuses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *fault;
static uint8_t *data;
static uint32_t size;
static uint64_t sum; /* what is read goes here, so that reading is not left out */

static int is(const char *name) { return strcmp(fault, name) == 0; }

static void refuse(const char *why) {
    fprintf(stderr, "refused: %s\n", why);
    if (!is("leak-refused")) free(data);
    if (is("double-free") && strcmp(why, "label") == 0) free(data);
    exit(1);
}

static uint32_t u16(uint32_t at) { return data[at] | data[at + 1] << 8; }
static uint32_t u32(uint32_t at) { return u16(at) | u16(at + 2) << 16; }

static int inside(uint32_t off, uint32_t count, uint32_t item, uint64_t extra) {
    if (is("wrap")) return (uint32_t)(off + count * item) <= size;
    return (uint64_t)off + (uint64_t)count * item <= (uint64_t)size + extra;
}

static void touch(uint32_t off, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) sum += data[off + i];
}

static int last_nul(uint32_t off, uint32_t n) {
    while (n > 0 && data[off + n - 1] != 0) n--;
    return (int)n - 1;
}

static int deep(const char *text) {
    volatile char kept[512];
    kept[0] = *text;
    return *text ? kept[0] + deep(text + 1) : 0;
}

static void check_name(uint32_t at, uint32_t table, uint32_t n, int nul, const char *what) {
    uint32_t name = u32(at);
    if (is("name-nul")) {
        if (name >= n) refuse(what);
        sum += strlen((char *)data + table + name);
        return;
    }
    if (name >= n || nul < 0 || name > (uint32_t)nul) refuse(what);
    if (is("name-recursion")) sum += (uint64_t)deep((char *)data + table + name);
}

static void constants(uint32_t at, uint32_t count) {
    static const uint32_t limit[3] = {16, 4, 96};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c = at + 20 * i, type = data[c], reg = data[c + 2];
        if (type > 2) refuse("constant type");
        if (reg > limit[type] || (reg == limit[type] && !is("register-off-by-one"))) refuse("constant register");
    }
}

static void labels(uint32_t at, uint32_t count, uint32_t words, uint32_t symbols, uint32_t symbols_size, int nul) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t l = at + 16 * i, word = u32(l + 4), length = u32(l + 8);
        if (is("label-flags") && u16(l + 2) != 1) refuse("label flags");
        if (word > words) refuse("label");
        if (length != 0xFFFFFFFF && (is("label-wrap") ? (uint32_t)(word + length) : (uint64_t)word + length) > words) refuse("label end");
        check_name(l + 12, symbols, symbols_size, nul, "label name");
    }
}

static void outputs(uint32_t at, uint32_t count, int type) {
    uint8_t map[16] = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t o = at + 8 * i, semantic = u16(o), reg = u16(o + 2);
        if (is("semantic-abort") && (semantic == 7 || semantic > 9)) abort();
        if (is("wild-write")) {
            volatile uint8_t *wild = map;
            wild[reg * 16] = 1;
        } else if (is("shift")) {
            sum += (uint64_t)(1 << reg);
        } else if (reg > 15) {
            refuse("output register");
        } else {
            map[reg] |= 1;
        }
        sum += (uint64_t)type;
    }
}

static int class_of(uint32_t r) { return r < 0x10 ? 0 : r < 0x70 ? 1 : r < 0x74 ? 2 : r < 0x78 ? -1 : r < 0x88 ? 3 : -1; }

static void uniforms(uint32_t at, uint32_t count, uint32_t symbols, uint32_t symbols_size, int nul) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t u = at + 8 * i, first = u16(u + 4), last = u16(u + 6);
        check_name(u, symbols, symbols_size, nul, "uniform name");
        if (is("endless-range")) {
            for (uint8_t r = (uint8_t)first; r <= last; r++) sum += r;
            continue;
        }
        if (class_of(first) < 0 || class_of(last) < 0) refuse("register");
        if (first > last || class_of(first) != class_of(last)) refuse("register range");
    }
    if (is("quadratic"))
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < i; k++)
                sum += u32(at + 8 * i) == u32(at + 8 * k);
}

static void entry(uint32_t at, uint32_t words) {
    static const uint32_t item[5] = {20, 16, 8, 8, 1};
    uint32_t off[5], count[5];
    int type;
    if (memcmp(data + at, "DVLE", 4) != 0) refuse("DVLE magic");
    type = data[at + 6];
    if (u32(at + 8) > words || (u32(at + 8) == words && !is("entry-off-by-one"))) refuse("entry");
    if (u32(at + 12) > words) refuse("end");
    for (int i = 0; i < 5; i++) {
        off[i] = u32(at + 0x18 + 8 * i);
        count[i] = u32(at + 0x1C + 8 * i);
        if (i == 0 && is("allocates")) {
            uint64_t n = (uint64_t)count[0] * item[0];
            uint8_t *copy = malloc(n < 200000000 ? n : 200000000);
            if (copy == NULL) refuse("memory");
            memset(copy, 1, n < 200000000 ? n : 200000000);
            sum += copy[n / 2 % 200000000];
            free(copy);
        }
        if (i == 2 && is("stack")) {
            volatile uint8_t *copy = __builtin_alloca((uint64_t)count[2] * item[2] + 1);
            copy[0] = 1;
            sum += copy[0];
        }
        while (is("hangs-at-64") && i == 3 && count[i] == 64) sum++;
        while (is("hangs-at-version") && u16(at + 4) == 0x2000) sum++;
        if (count[i] == 0) continue;
        if (is("wrap") ? (uint32_t)(at + off[i] + count[i] * item[i]) > size
                       : off[i] < 0x40 || (uint64_t)at + off[i] + (uint64_t)count[i] * item[i] > (uint64_t)size + (is("table-off-by-one") ? 4 : 0))
            refuse("table");
        off[i] += at;
        if (!is("wrap")) touch(off[i], (uint64_t)count[i] * item[i]);
    }
    {
        int nul = count[4] > 0 ? last_nul(off[4], count[4]) : -1;
        constants(off[0], count[0]);
        labels(off[1], count[1], words, off[4], count[4], nul);
        outputs(off[2], count[2], type);
        uniforms(off[3], count[3], off[4], count[4], nul);
    }
}

static void program(uint32_t at, uint32_t entries) {
    uint32_t first = 0xFFFFFFFF, words, code, descriptors, count;
    if (!is("dvlp-magic") && memcmp(data + at, "DVLP", 4) != 0) refuse("DVLP magic");
    for (uint32_t i = 0; i < entries; i++)
        if (u32(8 + 4 * i) - at < first) first = u32(8 + 4 * i) - at;
    code = u32(at + 8), words = u32(at + 12), descriptors = u32(at + 16), count = u32(at + 20);
    if (code < first) first = code;
    if (count > 0 && descriptors < first) first = descriptors;
    if (first < 28) refuse("short header");
    if (words > 4096) refuse("code count");
    if (count > 128 || (is("refuses-128") && count == 128)) refuse("descriptor count");
    if (!inside(at + code, words, 4, is("code-off-by-one") ? 4 : 0) || (uint64_t)at + code > size) refuse("code");
    touch(at + code, 4 * (uint64_t)words);
    if (count > 0) {
        if ((uint64_t)at + descriptors > size || !inside(at + descriptors, count, 8, 0)) refuse("descriptors");
        touch(at + descriptors, 8 * (uint64_t)count);
    }
    if (first >= 40) {
        uint32_t lines = u32(at + 24), n = u32(at + 28), names = u32(at + 32), names_size = u32(at + 36);
        int nul = -1;
        if (names_size > 0) {
            if ((uint64_t)at + names + names_size > size) refuse("file names");
            nul = last_nul(at + names, names_size);
        }
        if (n > 0 && !is("ignores-lines")) {
            if (lines % 4 != 0 || (uint64_t)at + lines + 8 * (uint64_t)n > size) refuse("lines");
            for (uint32_t i = 0; i < n; i++) check_name(at + lines + 8 * i, at + names, names_size, nul, "line name");
        }
    }
    for (uint32_t i = 0; i < entries; i++) entry(u32(8 + 4 * i), words);
}

/* walks over the entries from the first to the last one */
static void walk(uint32_t entries) {
    uint32_t seen = 0, end = 0;
    while (seen < entries)
        for (uint32_t i = 0; i < entries; i++)
            if (u32(8 + 4 * i) >= end) {
                end = u32(8 + 4 * i) + 64, seen++;
                break;
            }
}

static void load(const char *name) {
    FILE *f = fopen(name, "rb");
    long n;
    if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) < 0) exit(126);
    rewind(f);
    size = (uint32_t)n;
    data = size > 0 ? malloc(size) : NULL;
    if (size > 0 && fread(data, 1, size, f) != size) exit(126);
    fclose(f);
    for (uint32_t i = 0; i < size && (is("ends-at-nul") || is("clears-from-nul")); i++)
        if (data[i] == 0) {
            memset(data + i, 0, size - i);
            if (is("ends-at-nul")) size = i;
            break;
        }
}

static void save(const char *name) {
    FILE *f;
    if (is("writes-nothing")) return;
    if (is("writes-directory")) {
        mkdir(name, 0700);
        return;
    }
    f = fopen(name, "wb");
    if (f == NULL) exit(126);
    if (is("loses-entry")) data[u32(8) + 8] ^= u32(8 + 4) > 0 && u32(u32(8) + 12) > 1; /* another entry word */
    if (is("writes-broken")) size -= size > 64 ? 16 : 0;
    fwrite(data, 1, size, f);
    fclose(f);
}

/* frees what is still read */
static void release(void) { free(data); }

int main(int argc, char **argv) {
    uint32_t entries;
    if (argc < 3) return 126;
    fault = argv[1];
    load(argv[2]);
    if (is("empty")) sum += data[0];
    if (size < 8) refuse("short file");
    if (!is("magic") && memcmp(data, "DVLB", 4) != 0) refuse("magic");
    entries = u32(4);
    if (entries == 0) refuse("no entries");
    if (!is("entries-unchecked") && 8 + 4 * (uint64_t)entries > size) refuse("entry offsets");
    if (is("entries-unchecked"))
        for (uint32_t i = 0; i < entries; i++) sum += u32(8 + 4 * i);
    for (uint32_t i = 0; i < entries; i++) {
        uint64_t at = u32(8 + 4 * i);
        if (is("entry-wrap") && at % 4 == 0 && (uint32_t)(at + 64) <= size) continue;
        if (at < 8 + 4 * (uint64_t)entries || at + 64 > size) refuse("entry offset");
    }
    if (8 + 4 * (uint64_t)entries + 40 > size && 8 + 4 * (uint64_t)entries + 28 > size) refuse("short file");
    if (is("freed")) release();
    if (is("endless-walk")) walk(entries);
    program(8 + 4 * entries, entries);
    if (argc > 3) save(argv[3]);
    if (is("replaces-input")) {
        remove(argv[2]);
        mkdir(argv[2], 0700);
    }
    if (!is("leak") && !is("freed")) free(data);
    data = NULL;
    return sum == 1 ? 0 : 0;
}
