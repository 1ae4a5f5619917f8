// SPDX-License-Identifier: Apache-2.0
import Hosting
import Journal
import Network
import Statistics
import SyslogMessages
import System
import Time
import Venue

/// The feature that sends the service's log to a collector. A collector that is not there costs nothing but a line in
/// the journal: a datagram that is lost is lost.
public final class SyslogForwarding: Feature {
    public static let summary = "the service's log for a collector, by RFC 5424 over UDP: settings `syslog`"

    /// What the product provides.
    public struct Source {
        public var follower: LogFollower
        public var box: String

        public init(follower: LogFollower, box: String) {
            self.follower = follower
            self.box = box
        }
    }

    public static var sections: [SectionDescription] { [SectionDescription(SyslogSettings.self)] }

    private let context: FeatureContext
    private let log: Log
    private let source: Source
    private let waker: Waker
    private var settings: SyslogSettings
    private var socket: SendingSocket?
    private var counters = SyslogCounters()
    /// Whether the last datagram was refused, so that the refusal is logged once.
    private var isFailing = false

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "syslog")
        source = context.provided(Source.self)
        settings = context.settings.running[SyslogSettings.self]
        let inbox = LateHandler()
        do {
            waker = try context.loop.makeWaker { inbox.handler() }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        inbox.handler = { [weak self] in self?.send() }
        context.settings.follow(SyslogSettings.self) { [weak self] in self?.follow($0) }
    }

    public func start() {
        context.statistics.attach(StatisticGroup("syslog", SyslogCounters.statistics) { [weak self] in self?.counters })
        follow(settings)
    }

    public func stop() {
        send()
        source.follower.close()
        context.loop.remove(waker)
    }

    private func follow(_ new: SyslogSettings) {
        settings = new
        socket = nil
        isFailing = false
        guard let collector = new.collector else {
            log(.debug, "the log goes to no collector")
            return source.follower.close()
        }
        source.follower.open(waker)
        log(.notice, "the log goes to a collector", ["address": collector, "port": new.port])
    }

    private func send() {
        let (lines, lost) = source.follower.drain()
        counters.lost += lost
        guard let collector = settings.collector else { return }
        for line in lines {
            let message = SyslogMessage(line: line.text, time: line.time, host: source.box, program: "touchlined")
            do throws(SystemCallError) {
                if socket == nil {
                    socket = try SendingSocket(to: collector.description, port: settings.port, hops: 64)
                }
                let octets = message.octets
                let sent = octets.withUnsafeBytes { bytes in
                    Result { () throws(SystemCallError) in try socket?.send(bytes) }
                }
                try sent.get()
                counters.sent += 1
                isFailing = false
            } catch {
                counters.lost += 1
                // This line comes here as well; it is not logged again before a datagram was sent.
                if !isFailing { log(.warning, "the collector is not reached", ["error": error]) }
                isFailing = true
            }
        }
    }
}

/// What became of the lines.
struct SyslogCounters {
    var sent = 0
    var lost = 0

    static let statistics: [Statistic<Self>] = [
        .counter("sent", \.sent, "lines", "Lines of the log that were sent to the collector."),
        .counter("lost", \.lost, "lines", "Lines that were not sent: too many at once, or no way there.", .fault),
    ]
}
