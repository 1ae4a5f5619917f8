// SPDX-License-Identifier: Apache-2.0
import Network
import PacketCaptures
import Synchronization
import System
import Time
import Venue

/// One capture, from its beginning to the file that is left of it. A thread of its own opens the socket and fills the ring,
/// so that whoever asks never waits for either.
///
/// - Thread: any; `end` by the owner alone.
public final class CaptureRun: Sendable {
    public struct Plan: Sendable {
        public var request: CaptureRequest
        public var seconds: Int
        /// Octets that the ring has room for.
        public var capacity: Int
        /// Path of the socket of the helper that opens packet sockets.
        public var helper: String
        /// Whether the helper is asked even if this process could do without; tests do.
        public var asksHelper: Bool

        public init(
            _ request: CaptureRequest, seconds: Int, capacity: Int, helper: String, asksHelper: Bool = false
        ) {
            (self.request, self.seconds, self.capacity) = (request, seconds, capacity)
            (self.helper, self.asksHelper) = (helper, asksHelper)
        }
    }

    public enum Phase: Equatable, Sendable {
        case opening
        case running
        /// There is no more to come; a socket that could not be opened has a problem.
        case ended(problem: Status?)
    }

    /// What of it can be seen.
    public struct Shown: Sendable {
        public var phase = Phase.opening
        /// When the first frame could be heard.
        public var began: (wall: WallTime, instant: Monotonic)?
        /// Frames that were heard.
        public var heard = 0
        /// Frames that are in the file.
        public var kept = 0
        /// Frames that the kernel dropped because they were not taken in time.
        public var dropped = 0
        public var fileOctets = 0
        /// What the socket reported last, such as that the interface went down; nil if nothing.
        public var problem: String?
        /// Empty until it has ended.
        public var file: [UInt8] = []

        public init() {}
    }

    /// Frames that are taken before anything else is looked at.
    private static let turnLimit = 256
    /// How often the kernel's drops are asked for where nothing is heard.
    private static let pause = Nanoseconds.seconds(1)

    public let plan: Plan
    private let state = Mutex(Shown())
    private let stopFlag = Mutex(false)
    private let wait: DescriptorWait
    private let thread = Mutex<DedicatedThread?>(nil)

    /// - Parameter changed: called when the phase has changed, on the capture's thread.
    public init(_ plan: Plan, changed: @escaping @Sendable () -> Void) throws(SystemCallError) {
        self.plan = plan
        wait = try DescriptorWait()
        let made = try DedicatedThread("capture") { [self] in
            run(changed)
        }
        thread.withLock { $0 = made }
    }

    public var shown: Shown { state.withLock { $0 } }

    /// Has it end soon.
    public func stop() {
        stopFlag.withLock { $0 = true }
        wait.wake()
    }

    /// Waits until the thread has ended, which it does soon after `stop`. Has to be called once.
    public func end() {
        stop()
        let ending = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        ending?.join()
    }

    private var isStopped: Bool { stopFlag.withLock { $0 } }

    private func run(_ changed: @Sendable () -> Void) {
        var problem: Status?
        var file: [UInt8] = []
        do throws(Status) {
            let source = CaptureSource(helper: plan.helper, asksHelper: plan.asksHelper)
            let socket = try source.open(plan.request) { isStopped }
            var ring = CaptureRing(capacity: plan.capacity)
            let began = SystemClock.monotonic()
            state.withLock { state in
                state.began = (SystemClock.wall(), began)
                state.phase = .running
                state.fileOctets = ring.fileOctets
            }
            changed()
            hear(socket, until: began + .seconds(Int64(plan.seconds)), &ring)
            file = ring.file(snap: plan.request.snap)
        } catch {
            problem = error
        }
        state.withLock { state in
            state.phase = .ended(problem: problem)
            state.file = file
        }
        changed()
    }

    private func hear(_ socket: borrowing PacketSocket, until deadline: Monotonic, _ ring: inout CaptureRing) {
        var buffer = [UInt8](repeating: 0, count: plan.request.snap)
        var heard = 0
        while !isStopped {
            let now = SystemClock.monotonic()
            guard now < deadline else { return }
            _ = wait.wait(for: [socket.rawValue], until: min(deadline, now + Self.pause))
            var problem: String?
            do throws(SystemCallError) {
                for _ in 0..<Self.turnLimit {
                    guard let frame = try socket.receive(into: &buffer) else { break }
                    heard += 1
                    ring.add(buffer[..<frame.octets], of: frame.length, at: frame.time)
                }
            } catch {
                problem = "\(error)"
            }
            let drops = socket.takeDrops()
            let (kept, octets) = (ring.frames, ring.fileOctets)
            state.withLock { state in
                (state.heard, state.kept, state.fileOctets) = (heard, kept, octets)
                state.dropped += drops
                state.problem = problem ?? state.problem
            }
        }
    }
}
