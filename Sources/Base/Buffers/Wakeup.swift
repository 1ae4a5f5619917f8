// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// Wakes one waiting thread from others. A signal given while no thread waits is kept: the next wait returns at once.
public final class Wakeup: @unchecked Sendable {
    // Sendable: `isSignalled` is accessed only under `mutex`; the mutex and the condition are heap cells that never
    // move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isSignalled = false

    public init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    public func signal() {
        pthread_mutex_lock(mutex)
        let isNew = !isSignalled
        isSignalled = true
        pthread_mutex_unlock(mutex)
        // Not under the mutex: the thread that wakes needs it, and would wait once more.
        if isNew { pthread_cond_signal(condition) }
    }

    /// Waits for a signal, but not beyond `deadline`.
    /// - Returns: whether a signal came; it is consumed.
    @discardableResult
    public func wait(until deadline: Monotonic) -> Bool {
        // An instant before 0 has no valid timespec: every wait for it would fail at once.
        let nanoseconds = max(0, deadline.nanoseconds)
        var instant = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        pthread_mutex_lock(mutex)
        while !isSignalled {
            if pthread_cond_timedwait(condition, mutex, &instant) != 0 { break }
        }
        let signalled = isSignalled
        isSignalled = false
        pthread_mutex_unlock(mutex)
        return signalled
    }
}
