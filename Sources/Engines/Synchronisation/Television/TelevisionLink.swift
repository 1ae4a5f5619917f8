// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import Time
import Venue
import Web

/// A companion of one television with its sockets and threads: it carries out what a `CompanionSession` wants.
/// - Thread: the loop's only.
public final class TelevisionLink {
    private let loop: EventLoop
    private let report: (CompanionEvent) -> Void
    private let sockets: WebSocketClient
    private let clock: WallClockClient
    private let waker: Waker
    private var session: CompanionSession
    private var connections: [WebSocketClient.Connection: CompanionConnection] = [:]
    private var timer: EventLoop.Timer?
    /// Whose wall clock is followed; nil for nobody's.
    private var followed: WallClockURL?
    /// The number of the call by which the clock's thread was told.
    private var call = 0

    /// - Parameter report: called on the loop's thread.
    public init(
        _ settings: CompanionSettings, loop: EventLoop, report: @escaping (CompanionEvent) -> Void
    ) throws(SystemCallError) {
        self.loop = loop
        self.report = report
        let inbox = LateHandler()
        let waker = try loop.makeWaker { inbox.handler() }
        do throws(SystemCallError) {
            sockets = try WebSocketClient { waker.wake() }
            do throws(SystemCallError) {
                clock = try WallClockClient { waker.wake() }
            } catch {
                sockets.stop()
                throw error
            }
        } catch {
            loop.remove(waker)
            throw error
        }
        self.waker = waker
        session = CompanionSession(settings, random: SystemRandomNumberGenerator(), at: SystemClock.monotonic())
        inbox.handler = { [weak self] in self?.awoken() }
    }

    public var phase: CompanionPhase { session.phase }
    /// What the television presents; nil while it is not known.
    public var information: ContentInformation? { session.information }
    /// The timeline; nil while it is not available.
    public var timeline: FollowedTimeline? { session.timeline }
    public var counters: CompanionSessionCounters { session.counters }
    public var wallClock: WallClockClient.Reading { clock.reading }

    public func start() { perform(session.start(at: SystemClock.monotonic())) }

    /// Ends everything. Its threads end a little later.
    public func stop(by ending: ThreadEnding) {
        perform(session.stop(at: SystemClock.monotonic()))
        if let timer { loop.cancel(timer) }
        timer = nil
        loop.remove(waker)
        ending.end { [sockets, clock] in
            sockets.stop()
            clock.stop()
        }
    }

    /// Tells the television when the session presents and when it could.
    public func presented(_ timestamps: PresentationTimestamps) { perform(session.presented(timestamps)) }

    // MARK: Events

    private func awoken() {
        let now = SystemClock.monotonic()
        for report in sockets.takeReports() {
            switch report {
            case .opened(let socket):
                if let connection = connections[socket] { perform(session.opened(connection, at: now)) }
            case .received(let socket, let text):
                if let connection = connections[socket] { perform(session.received(text, on: connection, at: now)) }
            case .closed(let socket, let why):
                guard let connection = connections.removeValue(forKey: socket) else { continue }
                perform(session.closed(connection, CompanionConnection.End(why), at: now))
            }
        }
        // The clock's thread may have told something of the server before, which it has not left yet.
        for event in clock.takeEvents() where event.call == call && event.event == .lost {
            if let followed { perform(session.wallClockLost(followed, at: now)) }
        }
        // What is so counts, and not which event told it: one may have been left out, or have come before this was followed.
        let reading = clock.reading
        if let followed, reading.call == call, reading.state == .locked {
            perform(session.wallClockAvailable(followed, at: now))
        }
    }

    private func perform(_ actions: [CompanionAction]) {
        for action in actions {
            switch action {
            case .connect(let connection, let url):
                guard !url.isSecure else {
                    refuse(connection)
                    continue
                }
                let socket = sockets.connect(to: url.host.numericOrName, port: url.port, path: url.target)
                connections[socket] = connection
            case .send(let connection, let text):
                if let socket = socket(of: connection) { sockets.send(text, to: socket) }
            case .close(let connection, let status):
                guard let socket = socket(of: connection) else { continue }
                connections[socket] = nil
                sockets.close(socket, status: status)
            case .follow(let url): follow(url)
            case .stopFollowing: follow(nil)
            case .report(let event): report(event)
            }
        }
        schedule()
    }

    /// A service with TLS: there is no certificate by which it could be trusted.
    private func refuse(_ connection: CompanionConnection) {
        _ = loop.after(.zero) { [weak self] in
            guard let self else { return }
            perform(session.closed(connection, .failed, at: SystemClock.monotonic()))
        }
    }

    private func socket(of connection: CompanionConnection) -> WebSocketClient.Connection? {
        connections.first { $0.value == connection }?.key
    }

    private func schedule() {
        if let timer { loop.cancel(timer) }
        timer = session.nextTick.map { instant in
            loop.after(max(.zero, instant - SystemClock.monotonic())) { [weak self] in
                guard let self else { return }
                timer = nil
                perform(session.tick(at: SystemClock.monotonic()))
            }
        }
    }

    // MARK: Wall clock

    private func follow(_ url: WallClockURL?) {
        followed = url
        call = clock.follow(url?.peer)
    }
}

extension WallClockURL {
    /// nil for a name. A television tells its own address, since it cannot know its name: a name is not looked up, and
    /// its clock stays awaited.
    fileprivate var peer: DatagramPeer? {
        guard case .address(let address) = host else { return nil }
        return DatagramPeer(address, port: port)
    }
}

extension CompanionConnection.End {
    init(_ why: WebSocketClient.ClosingReason) {
        switch why {
        case .refused(let status): self = .refused(status: status)
        case .byServer(let status): self = .closed(status: status)
        case .unreachable, .timedOut, .byClient: self = .failed
        }
    }
}

extension ServiceHost {
    /// Without the brackets of a URL.
    var numericOrName: String {
        switch self {
        case .address(let address): "\(address)"
        case .name(let name): name
        }
    }
}
