/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are installed beside the program. */
#ifndef RWSEMLAB_ANALYZE_DATA_FILE_H
#define RWSEMLAB_ANALYZE_DATA_FILE_H

#include <stdio.h>

/**
 * data_file_open() - open a data file of the program for reading
 * @name: its name where it is installed
 * @built: its name in the build tree, seen from the program
 *
 * Looked for in the folder that RWSEMLAB_DATADIR names, if it is set, else
 * beside a program that was built but not installed, in ../share/rwsemlab
 * seen from the program, and where it was configured to be installed.
 *
 * Return: NULL where there is none; the caller closes it.
 */
FILE *data_file_open(const char *name, const char *built);

#endif
