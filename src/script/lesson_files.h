#ifndef SCRIPT_LESSON_FILES_H
#define SCRIPT_LESSON_FILES_H
/* Which files are lessons (private to the script room). */
#include <stdbool.h>

/* The names of the lesson files of a directory, sorted; lesson_files_free takes them and the list.
 */
char **lesson_files(const char *dir, int *count);
void lesson_files_free(char **names, int count);
/* Is `id` that of one of the program's lessons, and `path` another file? */
bool lesson_id_taken(const char *id, const char *path);

#endif
