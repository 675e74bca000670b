#ifndef SCRIPT_LESSON_FILES_H
#define SCRIPT_LESSON_FILES_H
/* Which files are lessons (private to the script room). */

/* The names of the lesson files of a directory, sorted; lesson_files_free takes them and the list.
 */
char **lesson_files(const char *dir, int *count);
void lesson_files_free(char **names, int count);

#endif
