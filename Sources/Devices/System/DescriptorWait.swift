// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc
import Time

/// Lets one thread wait for descriptors, for an instant and for other threads. It needs no event loop.
public final class DescriptorWait: Sendable {
    private let waker: Waker

    public init() throws(SystemCallError) {
        waker = Waker(FileDescriptor(adopting: try syscall("eventfd") { touchline_event_fd() }))
    }

    /// Ends the wait that is under way or else the next.
    /// - Thread: any.
    public func wake() { waker.wake() }

    /// Waits until one of the descriptors is readable or has an error, another thread wakes this one, or `deadline` is
    /// reached; up to 1 ms longer.
    /// - Returns: whether one of the descriptors is ready.
    /// - Thread: the waiting one.
    public func wait(for descriptors: [CInt], until deadline: Monotonic) -> Bool {
        var polled = (descriptors + [waker.descriptor.rawValue]).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let rest = max(.zero, deadline - SystemClock.monotonic())
        // A signal ends the wait early, as `wake` does.
        guard poll(&polled, nfds_t(polled.count), CInt(clamping: (rest.count + 999_999) / 1_000_000)) > 0 else {
            return false
        }
        if polled.last?.revents != 0 { waker.clear() }
        return polled.dropLast().contains { $0.revents != 0 }
    }
}
