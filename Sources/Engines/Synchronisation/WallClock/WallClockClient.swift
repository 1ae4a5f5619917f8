// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
import Synchronization
import System
import Time

/// A wall clock client of DVB-CSS with its socket and its thread. It follows one server, of which the address may change,
/// and publishes the server's wall clock.
/// - Thread: any, but `events` has one reader and `stop` one caller.
public final class WallClockClient: Sendable {
    /// How things are now.
    public struct Reading: Sendable {
        /// Nil while no server is followed.
        public internal(set) var server: DatagramPeer?
        /// The number of the call of `follow` that named the server; 0 for that of the beginning.
        public internal(set) var call = 0
        public internal(set) var state = WallClockRequester.State.acquiring
        /// The server's wall clock with its dispersion. Nil before it is acquired, and while no server is followed.
        public internal(set) var clock: SlewedWallClock?
        public internal(set) var requests = WallClockRequesterCounters()
        public internal(set) var counters = WallClockClientCounters()
        /// Why the last request could not be sent; nil if it was.
        public internal(set) var problem: SystemCallError?
    }

    public struct Event: Hashable, Sendable {
        /// Whose clock it is about.
        public let server: DatagramPeer
        /// The number of the call of `follow` that named it.
        public let call: Int
        public let event: WallClockRequester.Event
    }

    /// Each call is acquired for itself: a server that is given up and followed again at once may be one that has restarted,
    /// and whoever calls waits for its clock.
    struct Target {
        let server: DatagramPeer?
        let call: Int
    }

    /// Events that wait for the owner; more are counted and left out.
    private static let mostEvents = 256

    let published = PublishedValue(Reading())
    let target: LatestValue<Target>
    private let calls = Atomic<Int>(0)
    let events: Mailbox<Event>
    let wait: DescriptorWait
    let stopping = StopFlag()
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Starts the thread.
    /// - Parameters:
    ///   - server: nil follows none.
    ///   - local: what the monotonic clock is good for.
    ///   - stamping: the kernel's wall clock, by which datagrams are stamped.
    ///   - notify: called on the thread after each event; wakes the owner.
    public init(
        following server: DatagramPeer? = nil, local: ClockQuality = .own(),
        pacing: WallClockPacing = WallClockPacing(), stamping: StampingClock = StampingClock(),
        notify: @escaping @Sendable () -> Void = {}
    ) throws(SystemCallError) {
        target = LatestValue(Target(server: server, call: 0))
        events = Mailbox(limit: Self.mostEvents, notify: notify)
        wait = try DescriptorWait()
        thread.set(
            try DedicatedThread("wall clock", urgency: .prompt) { [self] in
                WallClockClientLoop(self, local: local, pacing: pacing, stamping: stamping).run()
            })
    }

    public var reading: Reading { published.value }

    /// Events since the last call, in order.
    public func takeEvents() -> [Event] { events.takeAll() }

    /// Follows another server, or the same at another address: the clock runs on until it is acquired from there. Nil
    /// stops, and the clock is given up.
    /// - Returns: the number of the call, by which the readings and events of it are known.
    @discardableResult
    public func follow(_ server: DatagramPeer?) -> Int {
        let call = calls.wrappingAdd(1, ordering: .relaxed).newValue
        target.set(Target(server: server, call: call))
        wait.wake()
        return call
    }

    /// Ends the thread and waits for it; it has nothing that takes long. A second call does nothing.
    public func stop() {
        stopping.raise()
        wait.wake()
        thread.value?.join()
        thread.set(nil)
    }
}
