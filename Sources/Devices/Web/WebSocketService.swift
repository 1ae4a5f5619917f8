// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import Synchronization
import System
import Time

/// The library's context and the connections of a `WebSocketClient`. The owner creates it; afterwards only its own thread
/// uses it.
final class WebSocketService {
    typealias Exchange = WebExchange<WebSocketCommand, WebSocketClient.Report>

    /// Limit on look-ups at a time.
    private static let lookupLimit = 8
    /// The library's own limit on connecting, in seconds: ours is shorter, or comes first by the link's deadline.
    private static let librarySeconds: UInt32 = 3_600
    /// Time for a server to take what was sent to it, and to answer the close frame.
    static let closingTime = Nanoseconds.seconds(5)

    let limits: WebSocketClient.Limits
    /// Connections with an attempt, by its number.
    var attempts: [UInt: WebSocketLink] = [:]
    let exchange: Exchange
    private var links: [WebSocketClient.Connection: WebSocketLink] = [:]
    private var lastAttempt: UInt = 0
    private(set) var context: WebContext?
    /// Wakes the service for the next deadline.
    private let alarm: UnsafeMutablePointer<tl_lws_alarm>
    private let lookups = Lookups()

    /// Counts the look-ups that have not ended, which may outlive the service.
    private final class Lookups: Sendable {
        let count = Atomic<Int>(0)
    }

    init(exchange: Exchange, limits: WebSocketClient.Limits) throws(SystemCallError) {
        self.exchange = exchange
        self.limits = limits
        alarm = .allocate(capacity: 1)
        alarm.initialize(to: tl_lws_alarm())
        let context = try WebContext(
            serveWebSocketClient, user: Unmanaged.passUnretained(self).toOpaque(),
            connections: WebSocketClient.connectionLimit * 2, options: 0, timeoutSeconds: Self.librarySeconds)
        self.context = context
        exchange.open(context.handle)
    }

    deinit {
        context?.destroy()
        alarm.deallocate()
    }

    /// Serves until `stop` is called.
    func run() {
        serve()
        exchange.close()
        attempts = [:]
        context?.destroy()
    }

    private func serve() {
        while context?.turn() == true {
            for command in exchange.takeCommands() {
                switch command {
                case .connect(let connection, let target): begin(connection, target)
                case .found(let connection, let addresses): links[connection].map { found($0, addresses) }
                case .send(let connection, let message): links[connection].map { send($0, message) }
                case .close(let connection, let status): links[connection].map { close($0, status: status) }
                case .stop:
                    flush()
                    return
                }
            }
            observeDeadlines()
        }
        for link in links.values { end(link, .unreachable("the client has failed")) }
    }

    /// Writes what the sockets take without blocking, and the close frames.
    private func flush() {
        for link in Array(links.values) {
            while !link.output.isEmpty, let handle = link.handle, lws_partial_buffered(handle) == 0 {
                guard context?.write(&link.output, to: handle, isWebSocket: true) != nil else { break }
            }
            close(link, status: 1_001)
        }
        context?.flushCloseFrames()
    }

    // MARK: Time

    private func observeDeadlines() {
        let now = SystemClock.monotonic()
        for link in Array(links.values) {
            if link.phase == .connecting, now >= link.deadline, now < link.connectingDeadline {
                abandonAttempt(link)
                link.failure = "timed out"
                link.phase = .trying
            }
            if link.phase == .trying { tryNext(link, now) }
            if now >= link.deadline {
                end(link, link.phase == .closing ? .byClient(status: link.closeStatus) : .timedOut)
            } else if link.phase == .open, now >= link.nextPing {
                link.isPingDue = true
                link.nextPing = now + limits.pingPeriod
                link.handle.map { _ = lws_callback_on_writable($0) }
            }
        }
        let next = links.values.map { $0.phase == .open ? min($0.deadline, $0.nextPing) : $0.deadline }.min()
        if let next { wake(in: next - now) }
    }

    /// Makes the library's next turn end after this time at the latest.
    func wake(in time: Nanoseconds) {
        if let context { tl_lws_wake_in(context.handle, alarm, max(1, time.microseconds + 1)) }
    }

    // MARK: Connecting

    private func begin(_ connection: WebSocketClient.Connection, _ target: WebSocketTarget) {
        let link = WebSocketLink(
            connection, target, messageLimit: limits.messageLimit,
            deadline: SystemClock.monotonic() + limits.connecting)
        links[connection] = link
        if let fault = target.fault {
            end(link, .unreachable(fault))
        } else if links.count > WebSocketClient.connectionLimit {
            end(link, .unreachable("there are \(WebSocketClient.connectionLimit) connections already"))
        } else if let address = NameLookup.numeric(target.host) {
            found(link, [address])
        } else {
            lookUp(link)
        }
    }

    private func lookUp(_ link: WebSocketLink) {
        guard lookups.count.load(ordering: .relaxed) < Self.lookupLimit else {
            return end(link, .unreachable("\(Self.lookupLimit) names are being looked up already"))
        }
        lookups.count.wrappingAdd(1, ordering: .relaxed)
        let connection = link.connection
        do {
            try NameLookup.start(link.target.host) { [exchange, lookups] addresses in
                lookups.count.wrappingSubtract(1, ordering: .relaxed)
                exchange.post(.found(connection, addresses: addresses))
            }
        } catch {
            lookups.count.wrappingSubtract(1, ordering: .relaxed)
            end(link, .unreachable("\(error)"))
        }
    }

    private func found(_ link: WebSocketLink, _ addresses: [String]) {
        link.addresses = addresses
        link.failure = "the name was not found"
        link.phase = .trying
    }

    /// Tries the remaining addresses until the library takes one.
    private func tryNext(_ link: WebSocketLink, _ now: Monotonic) {
        guard let context else { return }
        while !link.addresses.isEmpty {
            let share = (link.connectingDeadline - now) / Int64(link.addresses.count)
            let address = link.addresses.removeFirst()
            lastAttempt += 1
            link.attempt = lastAttempt
            link.phase = .connecting
            link.deadline = now + share
            attempts[lastAttempt] = link
            link.handle = context.connect(link.target, at: address, attempt: lastAttempt)
            if link.handle != nil { return }
            abandonAttempt(link)
            link.failure = "no connection to \(address)"
        }
        end(link, .unreachable(link.failure))
    }

    /// The callbacks of an attempt that was abandoned are not listened to.
    private func abandonAttempt(_ link: WebSocketLink) {
        attempts[link.attempt] = nil
        link.attempt = 0
        link.handle.map(WebContext.kill)
        link.handle = nil
    }

    /// Ends our part of the connection; the library goes on closing its own.
    func end(_ link: WebSocketLink, _ reason: WebSocketClient.ClosingReason) {
        guard links.removeValue(forKey: link.connection) != nil else { return }
        abandonAttempt(link)
        exchange.report(.closed(link.connection, reason))
    }
}
