// SPDX-License-Identifier: GPL-2.0-only
#include "config.h"

#include "lib/rwsemlab.h"

const char *rwsemlab_version(void)
{
	return PACKAGE_VERSION;
}
