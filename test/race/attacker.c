/*
 * The other process: it changes names under the shell's hands, as fast as it can, until it is killed.
 *
 *   attacker exchange A B        swaps what the two names mean (renameat2 RENAME_EXCHANGE)
 *   attacker cycle NAME TARGET   NAME is in turn a file, an empty directory, a symlink to TARGET, and missing
 *   attacker flick NAME TARGET   NAME is in turn a hard link to the file TARGET, and missing
 *   attacker probe A B           swaps once and ends: 0 when renameat2 works here
 *
 * It prints a line when it has begun.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

static int exchange(const char *a, const char *b) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
}

static void cycle(const char *name, const char *target) {
  int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
  if (fd >= 0) close(fd);
  unlink(name);
  /* A directory of ours that is gone was removed by the shell: that is what must never happen. */
  if (mkdir(name, 0755) == 0 && rmdir(name) != 0 && errno == ENOENT) _exit(3);
  if (symlink(target, name) == 0) unlink(name);
}

static void flick(const char *name, const char *target) {
  if (link(target, name) == 0) unlink(name);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const char *a = argv[2], *b = argv[3];
  if (strcmp(argv[1], "probe") == 0) return exchange(a, b) == 0 ? 0 : 1;

  /* Nobody is to be attacked longer than the test lives. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  puts("begun");
  fflush(stdout);
  if (strcmp(argv[1], "exchange") == 0) for (;;) exchange(a, b);
  if (strcmp(argv[1], "cycle") == 0) for (;;) cycle(a, b);
  if (strcmp(argv[1], "flick") == 0) for (;;) flick(a, b);
  return 2;
}
