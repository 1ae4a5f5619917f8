// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
import System
import Time

/// A wall clock server of DVB-CSS with its sockets and its thread. The wall clock is the monotonic clock, moved by a
/// constant.
/// - Thread: any, but `stop` has one caller.
public final class WallClockServer: Sendable {
    /// An address where requests are to be answered.
    public struct Endpoint: Hashable, Sendable {
        /// As it was asked for.
        public let requested: DatagramPeer
        /// Where it is answered, with the port that the kernel chose for 0; nil while it is not.
        public internal(set) var bound: DatagramPeer?
    }

    /// How things are now.
    public struct Reading: Sendable {
        public internal(set) var endpoints: [Endpoint] = []
        public internal(set) var requests = WallClockResponderCounters()
        public internal(set) var counters = WallClockServerCounters()
        /// The last endpoint's failure; nil while all are bound.
        public internal(set) var problem: SystemCallError?
    }

    let published = PublishedValue(Reading())
    let addresses: LatestValue<[DatagramPeer]>
    let wait: DescriptorWait
    let stopping = StopFlag()
    let notify: @Sendable () -> Void
    private let offset: Nanoseconds
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Starts the thread.
    /// - Parameters:
    ///   - addresses: of interfaces of this machine; requests to others are not answered. One that the machine does not
    ///     have is tried each second.
    ///   - quality: what the monotonic clock is good for.
    ///   - offset: wall clock minus monotonic clock.
    ///   - stamping: the kernel's wall clock, by which datagrams are stamped.
    ///   - notify: called on the thread after the endpoints have changed; wakes the owner.
    public init(
        at addresses: [DatagramPeer] = [], quality: ClockQuality = .own(), offset: Nanoseconds = .zero,
        limits: WallClockResponder.Limits = .init(), stamping: StampingClock = StampingClock(),
        notify: @escaping @Sendable () -> Void = {}
    ) throws(SystemCallError) {
        self.addresses = LatestValue(addresses)
        self.offset = offset
        self.notify = notify
        wait = try DescriptorWait()
        thread.set(
            try DedicatedThread("wall server", urgency: .prompt) { [self] in
                let responder = WallClockResponder(quality: quality, offset: offset, limits: limits)
                WallClockServerLoop(self, responder, stamping: stamping).run()
            })
    }

    public var reading: Reading { published.value }

    public func wallClock(at local: Monotonic) -> WallClockInstant {
        WallClockInstant(nanoseconds: (local + offset).nanoseconds)
    }

    /// Answers at these addresses from now on. Those that are among the former ones are not interrupted.
    public func serve(at addresses: [DatagramPeer]) {
        self.addresses.set(addresses)
        wait.wake()
    }

    /// Ends the thread and waits for it; it has nothing that takes long. A second call does nothing.
    public func stop() {
        stopping.raise()
        wait.wake()
        thread.value?.join()
        thread.set(nil)
    }
}
