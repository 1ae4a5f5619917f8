// SPDX-License-Identifier: Apache-2.0
import Casting
import Journal
import Network
import System
import Time
import Venue

/// A head-end, whole: a thread for each channel, and the announcing on the thread that runs it.
public final class HeadEnd {
    public static let version = "0.1.0"

    private let configuration: HeadEndConfiguration
    private let loop: EventLoop
    private let log: Log
    private var senders: [ChannelSender] = []
    private var announcing: [AnnouncementSender] = []
    private var announcer: Announcer

    /// Opens every encoder, file and socket, so that what cannot be sent is said before anything is.
    /// - Throws: `Status` with the exit code of `config/CONVENTIONS.md`: 78 for the configuration.
    public init(_ options: HeadEndOptions) throws(Status) {
        configuration = try Self.configuration(options)
        log = Journal().log(for: "streamer")
        do {
            loop = try EventLoop()
            for group in configuration.groups { announcing.append(try AnnouncementSender(group, of: configuration)) }
            for channel in configuration.channels {
                senders.append(try ChannelSender(channel, of: configuration))
            }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        let own = senders.lazy.compactMap(\.ownAddress).compactMap { NumericAddress($0) }.first
        announcer = Announcer(
            configuration.channels.map(\.announcement), origin: own ?? Self.loopback,
            version: UInt64(clamping: SystemClock.wall().nanoseconds / 1_000_000_000), hops: configuration.hops,
            start: SystemClock.monotonic())
    }

    private static let loopback: NumericAddress = {
        guard let address = NumericAddress("127.0.0.1") else { preconditionFailure("127.0.0.1 is an address") }
        return address
    }()

    /// Sends until a signal; then says that the channels have ended.
    /// - Parameter signals: made before the head-end, whose threads inherit what it blocks.
    public func run(until signals: borrowing SignalWatch) throws(Status) {
        do {
            let watch = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in loop.stop() }
            let failed = try loop.makeWaker { [unowned self] in loop.stop() }
            for sender in senders { try sender.start { failed.wake() } }
            log(.notice, "sending", ["channels": senders.count, "streamer": configuration.streamer])
            if !announcing.isEmpty { announce() }
            try loop.run()
            loop.unwatch(watch)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        for sender in senders { sender.stop() }
        // Twice: a box that misses one deletion would keep the channel for three intervals.
        for _ in 0..<2 { for datagram in announcer.deletions { send(datagram) } }
        log(.notice, "stopped")
        if let failure = senders.lazy.compactMap(\.failure).first { throw .failure(.failed, failure) }
    }

    private func announce() {
        for datagram in announcer.due(at: SystemClock.monotonic()) { send(datagram) }
        guard let next = announcer.nextDue else { return }
        _ = loop.after(max(.milliseconds(1), next - SystemClock.monotonic())) { [unowned self] in announce() }
    }

    private func send(_ datagram: [UInt8]) {
        for sender in announcing {
            do {
                try datagram.withUnsafeBytes { try sender.socket.send($0) }
            } catch {
                log(.warning, "announcement not sent", ["error": "\(error)"])
            }
        }
    }

    private static func configuration(_ options: HeadEndOptions) throws(Status) -> HeadEndConfiguration {
        do {
            guard let text = try DurableFile.read(options.configuration) else {
                throw Status.failure(.configuration, "\(options.configuration): no such file")
            }
            return try HeadEndConfiguration(parsing: text)
        } catch let error as Status {
            throw error
        } catch {
            throw .failure(.configuration, "\(options.configuration): \(error)")
        }
    }
}
