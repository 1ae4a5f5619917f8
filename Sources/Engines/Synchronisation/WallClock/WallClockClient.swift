// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
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
        public let event: WallClockRequester.Event
    }

    /// Events that wait for the owner; more are counted and left out.
    private static let mostEvents = 256

    let published = PublishedValue(Reading())
    let target: LatestValue<DatagramPeer?>
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
        target = LatestValue(server)
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
    public func follow(_ server: DatagramPeer?) {
        target.set(server)
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
