// Loaded before a step (LD_PRELOAD), it lets the n-th write, rename or fsync fail that reaches a file below a folder.
//   FAULT_UNDER: the folder; FAULT_AT: n, or 0 for none; FAULT_ERRNO: the error;
//   FAULT_COUNT: a file of 8 bytes, which has the number of these calls, of all threads.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static long *count;

static int fails(const char *path) {
    const char *under = getenv("FAULT_UNDER"), *file = getenv("FAULT_COUNT"), *at = getenv("FAULT_AT");
    if (!under || !file || !at || strncmp(path, under, strlen(under))) return 0;
    if (!count) {
        int fd = open(file, O_RDWR | O_CLOEXEC);
        if (fd < 0) return 0;
        void *place = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        if (place == MAP_FAILED) return 0;
        count = place;
    }
    if (__sync_add_and_fetch(count, 1) != atol(at)) return 0;
    errno = atoi(getenv("FAULT_ERRNO"));
    return 1;
}

static int fails_in(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails(path);
}

static int fails_at(const char *path) {
    char whole[2 * PATH_MAX], here[PATH_MAX];
    if (path[0] == '/' || !getcwd(here, sizeof here)) return fails(path);
    snprintf(whole, sizeof whole, "%s/%s", here, path);
    return fails(whole);
}

#define NEXT(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *from, size_t size) { NEXT(write); return fails_in(fd) ? -1 : next(fd, from, size); }
ssize_t pwrite(int fd, const void *from, size_t size, off_t at) { NEXT(pwrite); return fails_in(fd) ? -1 : next(fd, from, size, at); }
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) { NEXT(pwrite64); return fails_in(fd) ? -1 : next(fd, from, size, at); }
ssize_t writev(int fd, const struct iovec *parts, int number) { NEXT(writev); return fails_in(fd) ? -1 : next(fd, parts, number); }
ssize_t sendfile(int to, int from, off_t *at, size_t size);
ssize_t sendfile(int to, int from, off_t *at, size_t size) { NEXT(sendfile); return fails_in(to) ? -1 : next(to, from, at, size); }
int fsync(int fd) { NEXT(fsync); return fails_in(fd) ? -1 : next(fd); }
int fdatasync(int fd) { NEXT(fdatasync); return fails_in(fd) ? -1 : next(fd); }
int rename(const char *from, const char *to) { NEXT(rename); return fails_at(to) ? -1 : next(from, to); }
int renameat(int a, const char *from, int b, const char *to) { NEXT(renameat); return fails_at(to) ? -1 : next(a, from, b, to); }
