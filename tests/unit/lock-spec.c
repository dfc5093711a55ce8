// SPDX-License-Identifier: GPL-2.0-only
/* Lock names: rwsemlab_spec_parse() and the list of variants. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/rwsemlab.h"
#include "tests/tap.h"

static void good(const char *text, const char *name, const char *departs)
{
	struct rwsemlab_spec *spec;
	char why[512] = "";

	if (!tap_is_i64(rwsemlab_spec_parse(text, &spec, why, sizeof(why)), 0,
			"'%s' is a lock (%s)", text, why))
		return;
	tap_is_str(rwsemlab_spec_name(spec), name, "'%s': its name", text);
	tap_is_str(rwsemlab_spec_departs(spec), departs, "'%s': what never was",
		   text);
	rwsemlab_spec_free(spec);
}

static void bad(const char *text, const char *why_has)
{
	struct rwsemlab_spec *spec;
	char why[512] = "";

	tap_is_i64(rwsemlab_spec_parse(text, &spec, why, sizeof(why)), -EINVAL,
		   "'%s' is none", text);
	tap_ok(strstr(why, why_has) && !strchr(why, '\n'), "'%s': told '%s'",
	       text, why);
	tap_ok(!spec, "'%s': nothing to free", text);
}

/* Every line of the list is a spec of its own name, and departs in nothing. */
static void every_variant(void)
{
	const struct rwsemlab_variant *variant;
	struct rwsemlab_spec *spec;
	char name[128], why[512];
	size_t i;
	int ret;

	for (i = 0; (variant = rwsemlab_variant_at(i)); i++) {
		snprintf(name, sizeof(name), "%s%s%s", variant->family,
			 *variant->version ? "@" : "", variant->version);
		ret = rwsemlab_spec_parse(name, &spec, why, sizeof(why));
		if (ret == -ENOSYS) {
			tap_is_str(why, variant->missing, "%s: why not", name);
			continue;
		}
		if (!tap_is_i64(ret, 0, "%s: parsed", name))
			continue;
		tap_is_str(rwsemlab_spec_name(spec), name, "%s: named", name);
		tap_ok(rwsemlab_spec_variant(spec) == variant, "%s: found",
		       name);
		rwsemlab_spec_free(spec);
	}
	tap_ok(i >= 20, "%zu variants", i);
}

/* No size of the buffer is overrun, and what fits is the beginning. */
static void short_buffers(void)
{
	struct rwsemlab_spec *spec;
	char all[512], why[512];
	bool fine = true;
	size_t size;

	rwsemlab_spec_parse("nothing", &spec, all, sizeof(all));
	for (size = 1; size < strlen(all) + 2; size++) {
		memset(why, 'x', sizeof(why));
		rwsemlab_spec_parse("nothing", &spec, why, size);
		fine = fine && strlen(why) < size &&
		       !strncmp(why, all, strlen(why)) && why[size] == 'x';
	}
	tap_ok(fine, "messages fit into every buffer");
}

int main(void)
{
	good("rwsem@3.10", "rwsem@3.10", "");
	good("rwsem", "rwsem@6.3", "");
	good("mutex", "mutex@5.15", "");
	good("mutex@3.10:spin=none", "mutex@3.10:spin=none",
	     "spin=none (was spin=mcs)");
	good("rwsem@6.3:wake_batch=1,handoff_ms=1",
	     "rwsem@6.3:handoff_ms=1,wake_batch=1",
	     "handoff_ms=1 (was handoff_ms=4), wake_batch=1 (was "
	     "wake_batch=256)");
	good("rwsem@6.3:handoff_ms=never", "rwsem@6.3:handoff_ms=never",
	     "handoff_ms=never (was handoff_ms=4)");
	/* What the version has anyway is no departure. */
	good("rwsem@6.3:spin=osq,handoff_ms=4", "rwsem@6.3", "");
	good("pthread-rwlock", "pthread-rwlock", "");
	good("percpu-rwsem", "percpu-rwsem@5.7", "");
	/* Both modes were to be had: neither is a departure. */
	good("percpu-rwsem@4.9:sync=slow", "percpu-rwsem@4.9:sync=slow", "");
	good("percpu-rwsem@4.9:sync=slow,spin=none",
	     "percpu-rwsem@4.9:spin=none,sync=slow",
	     "spin=none (was spin=osq)");
	good("percpu-rwsem@4.4:sync=slow", "percpu-rwsem@4.4:sync=slow",
	     "sync=slow (was sync=idle)");
	good("group-rwsem@6.18:global=slow", "group-rwsem@6.18", "");
	good("group-rwsem@4.1:global=idle", "group-rwsem@4.1:global=idle",
	     "global=idle (was global=none)");
	bad("percpu-rwsem@3.7:sync=slow", "percpu-rwsem@3.7 has no key 'sync'");
	bad("percpu-rwsem:sync=fast", "takes idle, slow");
	bad("group-rwsem:global=1", "takes none, idle, slow");
	bad("", "there are: rwsem-spinlock rwsem mutex");
	bad("semaphore", "unknown lock 'semaphore'; there are:");
	bad("rwsem@3.11", "of rwsem; there are: 2.6 3.9 3.10 3.16");
	bad("rwsem@", "unknown version ''");
	bad("rwsem@3.1", "unknown version '3.1'");
	bad("rwsem@3.100", "unknown version '3.100'");
	bad("pthread-mutex@2.0", "has no versions");
	bad("rwsem@6.3:", "has no key ''; its keys: spin steal");
	bad("rwsem@6.3:spin", "spin needs a value");
	bad("rwsem@6.3:spin=", "takes none, owner, mcs, osq");
	bad("rwsem@6.3:spin=fast", "bad value 'fast' of spin");
	bad("rwsem@6.3:spin=osq,", "has no key ''");
	bad("rwsem@3.10:handoff_ms=4", "rwsem@3.10 has no key 'handoff_ms'");
	bad("rwsem@6.3:handoff_ms=-1", "takes 0 to 100000 or never");
	bad("rwsem@6.3:handoff_ms=4294967297", "bad value '4294967297'");
	bad("rwsem@6.3:handoff_ms=4ms", "bad value '4ms'");
	bad("rwsem@6.3:reader_spin=2", "takes 0 to 1");
	bad("pthread-mutex:spin=osq", "it takes none");
	bad("rwsem\n\x1b[2J", "unknown lock 'rwsem??[2J'");
	every_variant();
	short_buffers();
	return tap_done();
}
