// SPDX-License-Identifier: Apache-2.0
// Counts allocations by thread, for LD_PRELOAD: in the file that TOUCHLINE_ALLOCATIONS names, which a watcher maps too.
// What the program's own code and Swift's runtime ask for is counted once more as `own`: the rest are C libraries' affairs.
// The watcher may name threads in `watched`: where they allocate is written down, the first few times, by all of the
// first one's code and by the own code of the others.
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

enum { threads = 1024, places = 16, depth = 16, watches = 3, most_ranges = 64 };

struct thread {
    int64_t id, allocations, frees, octets, own;
};

struct table {
    int64_t watched[watches], used, traced;
    struct thread thread[threads];
    uint64_t trace[places][depth];
};

static struct table unmapped;
static struct table *table = &unmapped;
static __thread struct thread *own __attribute__((tls_model("initial-exec")));
static __thread int tracing __attribute__((tls_model("initial-exec")));

// Where the program's own code and Swift's runtime lie.
static struct {
    uintptr_t start, end;
} range[most_ranges];
static int ranges;

static int note_object(struct dl_phdr_info *object, size_t size, void *ignored) {
    (void)size, (void)ignored;
    if (object->dlpi_name[0] != 0 && !strstr(object->dlpi_name, "/libswift")) return 0;
    for (int index = 0; index < object->dlpi_phnum && ranges < most_ranges; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        range[ranges].start = object->dlpi_addr + header->p_vaddr;
        range[ranges].end = range[ranges].start + header->p_memsz;
        ranges++;
    }
    return 0;
}

static int is_own(void *caller) {
    for (int index = 0; index < ranges; index++)
        if ((uintptr_t)caller >= range[index].start && (uintptr_t)caller < range[index].end) return 1;
    return 0;
}

__attribute__((constructor)) static void map(void) {
    void *ignored[1];
    backtrace(ignored, 1);  // loads its library now, not in the middle of an allocation
    dl_iterate_phdr(note_object, NULL);
    const char *path = getenv("TOUCHLINE_ALLOCATIONS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof(struct table)) != 0) return;
    struct table *mapped = mmap(NULL, sizeof(struct table), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return;
    own = NULL;  // what was counted before goes to the table that nobody reads
    table = mapped;
}

static struct thread *mine(void) {
    if (!own) {
        int64_t place = __atomic_fetch_add(&table->used, 1, __ATOMIC_RELAXED);
        own = &table->thread[place < threads ? place : threads - 1];
        own->id = syscall(SYS_gettid);
    }
    return own;
}

static void trace(int by_own) {
    int watch = 0;
    while (watch < watches && __atomic_load_n(&table->watched[watch], __ATOMIC_RELAXED) != own->id) watch++;
    if (watch == watches || (watch > 0 && !by_own) || tracing) return;
    int64_t place = __atomic_fetch_add(&table->traced, 1, __ATOMIC_RELAXED);
    if (place >= places) return;
    tracing = 1;
    backtrace((void **)table->trace[place], depth);
    tracing = 0;
}

static void allocated(size_t octets, void *caller) {
    struct thread *thread = mine();
    int by_own = is_own(caller);
    thread->allocations++;
    thread->octets += (int64_t)octets;
    thread->own += by_own;
    trace(by_own);
}

void *malloc(size_t octets) {
    allocated(octets, __builtin_return_address(0));
    return __libc_malloc(octets);
}

void *calloc(size_t count, size_t octets) {
    allocated(count * octets, __builtin_return_address(0));
    return __libc_calloc(count, octets);
}

void *realloc(void *block, size_t octets) {
    allocated(octets, __builtin_return_address(0));
    return __libc_realloc(block, octets);
}

void *reallocarray(void *block, size_t count, size_t octets) {
    size_t total;
    if (__builtin_mul_overflow(count, octets, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    allocated(total, __builtin_return_address(0));
    return __libc_realloc(block, total);
}

void *memalign(size_t alignment, size_t octets) {
    allocated(octets, __builtin_return_address(0));
    return __libc_memalign(alignment, octets);
}

void *aligned_alloc(size_t alignment, size_t octets) {
    allocated(octets, __builtin_return_address(0));
    return __libc_memalign(alignment, octets);
}

int posix_memalign(void **block, size_t alignment, size_t octets) {
    allocated(octets, __builtin_return_address(0));
    void *made = __libc_memalign(alignment, octets);
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block) {
    if (block) {
        mine()->frees++;
        trace(0);  // a library that ends in free() leaves no trace of itself: nobody knows whose it is
    }
    __libc_free(block);
}
