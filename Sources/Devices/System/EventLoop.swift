// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc
import Time

/// The control plane's event loop. It waits for descriptors, timers and wake-ups and runs their handlers one after
/// another.
///
/// - Thread: one, which creates, uses and releases it; hence not Sendable. Other threads reach it only through a
///   `Waker`.
public final class EventLoop {
    public struct Readiness: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let readable = Readiness(rawValue: 0x1)
        public static let writable = Readiness(rawValue: 0x4)
        /// Reported even if it was not asked for.
        public static let failed = Readiness(rawValue: 0x8)
        public static let hungUp = Readiness(rawValue: 0x10)
    }

    /// Identifies a watched descriptor in the loop that made it.
    public struct Watch: Hashable, Sendable {
        fileprivate let token: UInt64
    }

    public struct Timer: Hashable, Sendable {
        fileprivate let token: UInt64
    }

    private struct Watched {
        let descriptor: CInt
        let handler: (Readiness) -> Void
    }

    private struct Due {
        var instant: Monotonic
        let token: UInt64
        let period: Nanoseconds?
        let handler: () -> Void
    }

    private let epoll: FileDescriptor
    private var watched: [UInt64: Watched] = [:]
    private var timers: [Due] = []  // sorted by instant, soonest last
    private var nextToken: UInt64 = 1
    private var isStopping = false
    public private(set) var turns = TurnCounters()

    public init() throws(SystemCallError) {
        epoll = FileDescriptor(adopting: try syscall("epoll_create1") { touchline_epoll_create() })
    }

    /// Calls `handler` whenever the descriptor is ready. The caller keeps it open, and unwatches it before closing it.
    public func watch(
        _ descriptor: CInt, for readiness: Readiness, _ handler: @escaping (Readiness) -> Void
    ) throws(SystemCallError) -> Watch {
        let token = makeToken()
        _ = try syscall("epoll_ctl add \(descriptor)") {
            touchline_epoll_add(epoll.rawValue, descriptor, readiness.rawValue, token)
        }
        watched[token] = Watched(descriptor: descriptor, handler: handler)
        return Watch(token: token)
    }

    /// Changes the readiness to wait for; does nothing after `unwatch`.
    public func modify(_ watch: Watch, for readiness: Readiness) throws(SystemCallError) {
        guard let entry = watched[watch.token] else { return }
        _ = try syscall("epoll_ctl modify \(entry.descriptor)") {
            touchline_epoll_modify(epoll.rawValue, entry.descriptor, readiness.rawValue, watch.token)
        }
    }

    /// Ends a watch. None of its handlers runs afterwards, not even for an event that is already pending.
    public func unwatch(_ watch: Watch) {
        guard let entry = watched.removeValue(forKey: watch.token) else { return }
        // It fails only if the caller has closed the descriptor first, and then the kernel has already removed it.
        _ = touchline_epoll_remove(epoll.rawValue, entry.descriptor)
    }

    /// Calls `handler` once, unless cancelled before.
    public func after(_ delay: Nanoseconds, _ handler: @escaping () -> Void) -> Timer {
        add(in: delay, period: nil, handler)
    }

    /// The first call comes after one period. A loop that was busy makes one call, not one for each missed period.
    public func every(_ period: Nanoseconds, _ handler: @escaping () -> Void) -> Timer {
        precondition(period > .zero)
        return add(in: period, period: period, handler)
    }

    public func cancel(_ timer: Timer) { timers.removeAll { $0.token == timer.token } }

    /// Makes an endpoint for other threads: `wake` makes the loop call `handler` soon; several wakes may become one
    /// call.
    public func makeWaker(_ handler: @escaping () -> Void) throws(SystemCallError) -> Waker {
        let waker = Waker(FileDescriptor(adopting: try syscall("eventfd") { touchline_event_fd() }))
        let watch = try watch(waker.descriptor.rawValue, for: .readable) { [unowned waker] _ in
            waker.clear()
            handler()
        }
        wakers.append((waker, watch))
        return waker
    }
    private var wakers: [(waker: Waker, watch: Watch)] = []

    /// Ends a waker, whose handler is not called any more. Its descriptor is closed when nobody holds it.
    public func remove(_ waker: Waker) {
        for entry in wakers where entry.waker === waker { unwatch(entry.watch) }
        wakers.removeAll { $0.waker === waker }
    }

    /// Makes `run` return after the current turn.
    public func stop() { isStopping = true }

    /// Runs handlers until `stop`.
    public func run() throws(SystemCallError) {
        isStopping = false
        while !isStopping { try turn(atMost: .seconds(3_600)) }
    }

    /// Waits once, at most for `limit`, and runs the handlers that are ready.
    public func turn(atMost limit: Nanoseconds) throws(SystemCallError) {
        var tokens = [UInt64](repeating: 0, count: 64)
        var events = [UInt32](repeating: 0, count: 64)
        let wait = min(limit, timers.last.map { max(.zero, $0.instant - SystemClock.monotonic()) } ?? limit)
        let milliseconds = CInt(clamping: (wait.count + 999_999) / 1_000_000)
        let found = try syscall("epoll_wait") {
            touchline_epoll_wait(epoll.rawValue, &tokens, &events, 64, milliseconds)
        }
        let woken = SystemClock.monotonic()
        for index in 0..<Int(found) {
            watched[tokens[index]]?.handler(Readiness(rawValue: events[index]))
        }
        runTimers(at: SystemClock.monotonic())
        turns.turned(in: SystemClock.monotonic() - woken)
    }

    private func runTimers(at now: Monotonic) {
        while let due = timers.last, due.instant <= now {
            timers.removeLast()
            if let period = due.period {
                let missed = (now - due.instant).count / period.count
                insert(
                    Due(
                        instant: due.instant + period * (missed + 1), token: due.token, period: period,
                        handler: due.handler))
            }
            due.handler()
        }
    }

    private func add(in delay: Nanoseconds, period: Nanoseconds?, _ handler: @escaping () -> Void) -> Timer {
        let token = makeToken()
        insert(Due(instant: SystemClock.monotonic() + delay, token: token, period: period, handler: handler))
        return Timer(token: token)
    }

    private func insert(_ due: Due) {
        let place = timers.firstIndex { $0.instant <= due.instant } ?? timers.endIndex
        timers.insert(due, at: place)
    }

    private func makeToken() -> UInt64 {
        defer { nextToken += 1 }
        return nextToken
    }
}
