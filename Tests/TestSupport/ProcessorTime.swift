// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the calling thread computes in a body: what other threads and programs spend meanwhile does not count.
public func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let began = threadTime()
    try body()
    return threadTime() - began
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
