// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kallsyms parser: by hand-made texts, and by this kernel's /proc/kallsyms
 * read a second time with scanf.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/kallsyms.h"
#include "tests/tap.h"

static const struct symbol *found_symbol;

static void note_found(void *context, const struct symbol_query *query,
		       const struct symbol *symbol)
{
	(void)context;
	(void)query;
	found_symbol = symbol;
}

/* "name" or "name [module]" of what lies at an address, "-" for nothing. */
static const char *name_at(const struct symbol_table *t, uint64_t address)
{
	static char text[256];
	const struct symbol_query query = { .address = address };

	found_symbol = NULL;
	if (symbol_table_resolve(t, &query, 1, note_found, NULL))
		return "out of memory";
	if (!found_symbol)
		return "-";
	if (!found_symbol->module)
		return found_symbol->name;
	snprintf(text, sizeof(text), "%s [%s]", found_symbol->name,
		 t->module[found_symbol->module]);
	return text;
}

/* A table of a text, whose memory *copy is. */
static struct symbol_table parse(const char *text, char **copy,
				 struct kallsyms_stats *stats)
{
	struct symbol_table t = { 0 };

	*copy = strdup(text);
	memset(stats, 0, sizeof(*stats));
	if (!*copy || kallsyms_parse(&t, *copy, strlen(text), stats) ||
	    symbol_table_finish(&t, SYMBOLS_KALLSYMS))
		tap_bail("out of memory");
	return t;
}

/* ----------------------------------------------------------- by address */

static const char kernel_text[] = "0000000000000000 A fixed_percpu_data\n"
				  "ffffffff81000000 T startup_64\n"
				  "ffffffff81000000 T _stext\n"
				  "ffffffff81000000 T _text\n"
				  "ffffffff81000100 t local\n"
				  "ffffffff81000180 w weak_one\n"
				  "ffffffff81000200 W __pi_memset\n"
				  "ffffffff81000200 T memset\n"
				  "ffffffff81000200 T __memset\n"
				  "ffffffff81000300 t $x.1\n"
				  "ffffffff81000310 t .L42\n"
				  "ffffffff81000400 r constant\n"
				  "ffffffff81000500 T last\n"
				  "ffffffff81001000 T _etext\n"
				  "ffffffff82000000 D data\n"
				  "ffffffff83000000 T _sinittext\n"
				  "ffffffff83000800 T _einittext\n"
				  "ffffffffc0200000 t init_one\t[one]\n"
				  "ffffffffc0200100 t exit_one\t[one]\n"
				  "ffffffffc0100010 t first_two\t[two]\n"
				  "ffffffffc0100000 t zeroth_two\t[two]\n"
				  "ffffffffc0300000 t bpf_prog_abc_f\t[bpf]\n";

static const struct {
	uint64_t address;
	const char *name;
	const char *why;
} kernel_names[] = {
	{ 0xffffffff80ffffff, "-", "before the first symbol" },
	{ 0xffffffff81000000, "_text", "the last of three aliases" },
	{ 0xffffffff810000ff, "_text", "a symbol ends where the next starts" },
	{ 0xffffffff81000100, "local", "a local one" },
	{ 0xffffffff81000180, "weak_one", "a weak one" },
	{ 0xffffffff81000210, "__memset", "as perf: the last alias" },
	{ 0xffffffff81000305, "__memset", "marks of assemblers are none" },
	{ 0xffffffff81000401, "__memset", "data is none" },
	{ 0xffffffff81000fff, "last", "up to _etext" },
	{ 0xffffffff81001010, "_etext", "_etext's own page" },
	{ 0xffffffff81003000, "-", "behind _etext" },
	{ 0xffffffff82000010, "-", "in data" },
	{ 0xffffffff83000010, "_sinittext", "init text" },
	{ 0xffffffff83000900, "_einittext", "_einittext's page" },
	{ 0xffffffff90000000, "-", "between the kernel and its modules" },
	{ 0xffffffffc0200050, "init_one [one]", "a module" },
	{ 0xffffffffc0200fff, "exit_one [one]", "the end of a module's page" },
	{ 0xffffffffc0203000, "-", "between modules" },
	{ 0xffffffffc0100008, "zeroth_two [two]", "modules need no order" },
	{ 0xffffffffc0100018, "first_two [two]", "modules need no order" },
	{ 0xffffffffc0300020, "bpf_prog_abc_f [bpf]", "a BPF program" },
	{ 0xffffffffc0302000, "-", "behind everything" },
	{ UINT64_MAX, "-", "the last address there is" },
};

static void test_addresses(void)
{
	static const char *const names[] = { "_text", NULL, "_etext", "_none" };
	uint64_t marks[4] = { 1, 2, 3, 4 };
	struct symbol_table raw = { 0 };
	struct kallsyms_stats stats;
	struct symbol_table t;
	char *text;
	size_t i;

	t = parse(kernel_text, &text, &stats);
	tap_is_u64(stats.lines, 22, "every line is counted");
	tap_is_u64(stats.malformed, 0, "none is malformed");
	for (i = 0; i < sizeof(kernel_names) / sizeof(kernel_names[0]); i++)
		tap_is_str(name_at(&t, kernel_names[i].address),
			   kernel_names[i].name, "%#" PRIx64 ": %s",
			   kernel_names[i].address, kernel_names[i].why);
	symbol_table_free(&t);
	free(text);

	text = strdup(kernel_text);
	memset(&stats, 0, sizeof(stats));
	if (!text || kallsyms_parse(&raw, text, strlen(kernel_text), &stats))
		tap_bail("out of memory");
	symbol_table_marks(&raw, names, marks, 4);
	tap_is_u64(marks[0], 0xffffffff81000000, "the mark _text is found");
	tap_is_u64(marks[1], 2, "no mark is asked for");
	tap_is_u64(marks[2], 0xffffffff81001000, "the mark _etext is found");
	tap_is_u64(marks[3], 4, "a mark that is not there is left alone");
	symbol_table_free(&raw);
	free(text);
}

/* ----------------------------------------------------------- odd texts */

static const struct {
	const char *text;
	size_t symbols, lines, malformed, hidden;
	const char *why;
} texts[] = {
	{ "", 0, 0, 0, 0, "an empty file" },
	{ "\n\n\n", 0, 0, 0, 0, "empty lines" },
	{ "c0100000 T a", 1, 1, 0, 0, "32 bits, no newline at the end" },
	{ "C010000F T a\r\nc0100010 t b\r\n", 2, 2, 0, 0, "CRLF" },
	{ "0000000000000000 T a\n0 t b\n0 D c\n", 0, 3, 0, 2,
	  "addresses hidden by kptr_restrict" },
	{ "12345678123456781 T a\n", 0, 0, 1, 0, "17 digits" },
	{ " 1000 T a\n", 0, 0, 1, 0, "a blank first" },
	{ "1000  T a\n", 0, 0, 1, 0, "two blanks" },
	{ "1000 T\n1000\n1000 \n1000 T \n", 0, 0, 4, 0, "no name" },
	{ "1000 T \tx\n", 0, 1, 0, 0, "an empty name" },
	{ "1000 T a\t[m\n2000 T b\t[]\n3000 T c\t\n", 3, 3, 0, 0,
	  "modules that are none" },
	{ "\x7f\x45\x4c\x46\x02\x01\x01", 0, 0, 1, 0, "an ELF file" },
	{ "1000 T a b c\n", 1, 1, 0, 0, "a name with blanks" },
};

static void test_texts(void)
{
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct kallsyms_stats stats;
		struct symbol_table t;
		char *copy;

		t = parse(texts[i].text, &copy, &stats);
		tap_is_u64(t.nr, texts[i].symbols, "%s: symbols", texts[i].why);
		tap_is_u64(stats.lines, texts[i].lines, "%s: lines",
			   texts[i].why);
		tap_is_u64(stats.malformed, texts[i].malformed,
			   "%s: malformed ones", texts[i].why);
		tap_is_u64(stats.hidden, texts[i].hidden, "%s: hidden ones",
			   texts[i].why);
		symbol_table_free(&t);
		free(copy);
	}
}

/* ------------------------------------------------------ the real thing */

static char *read_proc_kallsyms(size_t *size)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char *text = NULL;
	size_t room = 0;
	ssize_t got;

	if (!f)
		return NULL;
	got = getdelim(&text, &room, EOF, f);
	fclose(f);
	*size = got > 0 ? (size_t)got : 0;
	return text;
}

/* Addresses of code, each with the name in its last line. */
struct expected {
	struct symbol_query *query;
	const char **name;
	size_t nr, size;
	size_t named, wrong;
};

static void expect(struct expected *e, uint64_t address, const char *name)
{
	if (e->nr && e->query[e->nr - 1].address == address) {
		e->name[e->nr - 1] = name;
		return;
	}
	if (e->nr == e->size) {
		e->size = e->size ? e->size * 2 : 4096;
		e->query = reallocarray(e->query, e->size, sizeof(*e->query));
		e->name = reallocarray(e->name, e->size, sizeof(*e->name));
		if (!e->query || !e->name)
			tap_bail("out of memory");
	}
	e->name[e->nr] = name;
	e->query[e->nr].address = address;
	e->query[e->nr].cookie = (uint32_t)e->nr;
	e->nr++;
}

/* With scanf; those of modules are left out, as they are not sorted. */
static void read_expected(struct expected *e, char *text)
{
	char *line, *save = NULL;

	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		uint64_t address;
		int name = 0;
		char type;

		if (!strchr(line, '[') &&
		    sscanf(line, "%" SCNx64 " %c %n", &address, &type, &name) ==
			    2 &&
		    strchr("tTwW", type) && address && line[name] != '$')
			expect(e, address, line + name);
	}
}

static void compare_name(void *context, const struct symbol_query *query,
			 const struct symbol *symbol)
{
	struct expected *e = context;
	const char *want = e->name[query->cookie];

	e->named++;
	if (strcmp(symbol->name, want) != 0 && e->wrong++ < 5)
		tap_diag("%" PRIx64 ": %s, want %s", query->address,
			 symbol->name, want);
}

static void test_running_kernel(void)
{
	size_t size = 0;
	char *text = read_proc_kallsyms(&size);
	char *again = text ? strndup(text, size) : NULL;
	struct kallsyms_stats stats = { 0 };
	struct symbol_table t = { 0 };
	struct expected e = { 0 };

	if (!again || kallsyms_parse(&t, text, size, &stats) || !t.nr ||
	    symbol_table_finish(&t, SYMBOLS_KALLSYMS)) {
		tap_skip("/proc/kallsyms shows no addresses",
			 "all symbols of this kernel");
	} else {
		read_expected(&e, again);
		if (symbol_table_resolve(&t, e.query, e.nr, compare_name, &e))
			tap_bail("out of memory");
		tap_ok(e.nr > 10000, "this kernel has %zu addresses of code",
		       e.nr);
		tap_is_u64(e.named, e.nr, "each of them has a name");
		tap_is_u64(e.wrong, 0, "it is the one of its last line");
	}
	free(e.query);
	free(e.name);
	symbol_table_free(&t);
	free(text);
	free(again);
}

int main(void)
{
	test_addresses();
	test_texts();
	test_running_kernel();
	return tap_done();
}
