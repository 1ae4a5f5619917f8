// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The wall clock of the programs that are started through it, which is the machine's but for a step that changes while they
/// run. Their monotonic clock, their timers and what the kernel says of its clock are the machine's.
///
/// libfaketime is not it: it also stands between a program and its waits, and threads of real time spin in it.
final class SteppedClock {
    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static const volatile long long *step; /* seconds */

        __attribute__((constructor)) static void find(void) {
            void *memory = mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, open(getenv("STEPPED_CLOCK"), O_RDONLY), 0);
            if (memory == MAP_FAILED) abort();
            step = memory;
        }

        int clock_gettime(clockid_t clock, struct timespec *now) {
            long result = syscall(SYS_clock_gettime, clock, now);
            if (result == 0 && step != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
                now->tv_sec += *step;
            return result;
        }

        int gettimeofday(struct timeval *restrict now, void *restrict zone) {
            struct timespec precise;
            (void)zone;
            clock_gettime(CLOCK_REALTIME, &precise);
            now->tv_sec = precise.tv_sec;
            now->tv_usec = precise.tv_nsec / 1000;
            return 0;
        }

        time_t time(time_t *now) {
            struct timespec precise;
            clock_gettime(CLOCK_REALTIME, &precise);
            if (now != NULL) *now = precise.tv_sec;
            return precise.tv_sec;
        }

        """
    /// In front of a program's command.
    let entry: [String]
    private let file: FileHandle

    init(_ name: String, in venue: TestVenue) async throws {
        let library = venue.directory.file("\(name)-clock.so")
        let source = try venue.directory.write(Self.source, to: "\(name)-clock.c")
        try await venue.succeed(["cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source])
        let path = try venue.directory.write(String(repeating: "\0", count: 8), to: "\(name)-clock.step")
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw VenueError("\(path) cannot be written") }
        self.file = file
        entry = ["env", "LD_PRELOAD=\(library)", "STEPPED_CLOCK=\(path)"]
    }

    /// By how much the clock is ahead from now on.
    func step(to seconds: Int64) throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
    }
}
