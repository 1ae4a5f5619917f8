// SPDX-License-Identifier: Apache-2.0
import Casting
import Journal
import System
import Time
import Venue

/// A whole head-end: it sends channels and announces them until a signal ends it.
public final class HeadEnd {
    private let configuration: HeadEndConfiguration
    private let interface: String
    private let log = Journal().log(for: "casting")
    private let loop: EventLoop
    private var runs: [ChannelRun] = []
    private var announcers: [GroupAnnouncer] = []
    private var reported: Set<String> = []
    /// Numbers of the interruptions that were told, and the channels of which it was not told that they are sent again.
    private var interruptions: [String: Int] = [:]
    private var interrupted: Set<String> = []
    /// Whether messages come by standard input. `line` holds the octets of a line that has not ended yet.
    private let readsMessages: Bool
    private var line: [UInt8] = []
    private var input: EventLoop.Watch?
    /// The television that shows the first channel; nil without one.
    private let shownBy: TelevisionOptions?
    private var television: Television?

    /// From the call of `start` to the first datagram: the time in which encoders open.
    private static let lead = Nanoseconds.milliseconds(300)

    /// - Throws: `Status` with an exit code of `config/CONVENTIONS.md`; 78 for a wrong configuration.
    public convenience init(_ options: HeadEndOptions) throws(Status) { try self.init(options, shownBy: nil) }

    /// A test television, with the head-end of what it shows.
    public convenience init(_ options: TelevisionOptions) throws(Status) {
        guard options.headEnd.messages != "-" else {
            throw .failure(.usage, "--messages -: expected a file, since commands come by standard input")
        }
        try self.init(options.headEnd, shownBy: options)
    }

    private init(_ options: HeadEndOptions, shownBy television: TelevisionOptions?) throws(Status) {
        shownBy = television
        readsMessages = options.messages == "-"
        configuration = try Self.configuration(from: options)
        interface = options.interface ?? configuration.interface ?? ""
        do {
            loop = try EventLoop()
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// - Parameter signals: made before any thread, because threads inherit the signal mask that it sets.
    public func run(until signals: borrowing SignalWatch) throws(Status) {
        defer { stop() }
        do {
            try start()
            _ = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in loop.stop() }
            if readsMessages {
                input = try loop.watch(StandardInput.descriptor, for: .readable) { [unowned self] _ in readMessages() }
            }
            _ = loop.every(.milliseconds(20)) { [unowned self] in tick() }
            try loop.run()
        } catch let error as Status {
            throw error
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    private func start() throws {
        let start = SystemClock.monotonic() + Self.lead
        for channel in configuration.channels {
            do {
                runs.append(
                    try ChannelRun(channel, interface: interface, hops: configuration.hops, start: start))
            } catch {
                throw Status.failure(.failed, "channel \(channel.announcement.name): \(error)")
            }
            let transport = channel.announcement.transport
            log(
                .notice, "channel started",
                [
                    "name": channel.announcement.name, "address": transport.address, "port": transport.port,
                    "flows": channel.targets.count,
                ])
        }
        television = try shownBy.map { try Television($0, of: start, loop: loop) }
        let version = UInt64(max(0, SystemClock.wall().nanoseconds / 1_000_000_000))
        for group in configuration.groups {
            announcers.append(
                try GroupAnnouncer(group, of: configuration, interface: interface, version: version, start: start))
        }
    }

    private func tick() {
        let now = SystemClock.monotonic()
        for announcer in announcers { announcer.sendDue(at: now) }
        for run in runs {
            tellInterruption(of: run)
            guard let failure = run.failure.value, reported.insert(run.name).inserted else { continue }
            log(.error, "channel ended", ["name": run.name, "reason": failure])
        }
    }

    private func tellInterruption(of run: ChannelRun) {
        let interruption = run.interruption.value
        if interruptions[run.name, default: 0] != interruption.count {
            interruptions[run.name] = interruption.count
            if interrupted.insert(run.name).inserted {
                log(.warning, "channel not sent", ["name": run.name, "reason": interruption.reason])
            }
        }
        if interruption.isOver, interrupted.remove(run.name) != nil {
            log(.notice, "channel sent again", ["name": run.name])
        }
    }

    /// Reads messages line by line; the last line need not end with a line feed.
    private func readMessages() {
        let octets = StandardInput.read()
        if octets.isEmpty, let input {
            loop.unwatch(input)
            self.input = nil
            if !line.isEmpty { line.append(Self.lineFeed) }
        }
        line += octets
        while let end = line.firstIndex(of: Self.lineFeed) {
            if end > 0 { post(line[..<end]) }
            line.removeSubrange(...end)
        }
        if line.count > Self.longestLine {
            log(.warning, "message refused", ["reason": "a line of more than \(Self.longestLine) octets"])
            line = []
        }
    }

    private func post(_ line: ArraySlice<UInt8>) {
        do throws(MessageLineError) {
            let message = try OutgoingMessage(line: line)
            for run in runs where run.takesMessages && !run.messages.post(message) {
                log(.warning, "message refused", ["name": run.name, "reason": "too many wait"])
            }
        } catch {
            log(.warning, "message refused", ["reason": "\(error)"])
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")
    /// Octets: room for a message of 64 kB in any of its forms.
    private static let longestLine = 512 << 10

    private func stop() {
        television?.stop()
        for announcer in announcers { announcer.sendDeletions() }
        for run in runs {
            run.stop()
            log(
                .notice, "channel stopped",
                [
                    "name": run.name, "datagrams": run.counters.sent.value, "repair": run.counters.repairSent.value,
                    "octets": run.counters.sentOctets.value,
                    "refused": run.counters.refused.value, "lateSlots": run.counters.late.value,
                ])
        }
        announcers = []
        runs = []
    }

    private static func configuration(from options: HeadEndOptions) throws(Status) -> HeadEndConfiguration {
        let path = options.configuration
        do {
            guard let text = try DurableFile.read(path) else {
                throw Status.failure(.configuration, "\(path): no such file")
            }
            var configuration = try HeadEndConfiguration(parsing: text)
            if let file = options.messages, file != "-" { configuration.sendMessages(try messages(of: file)) }
            return configuration
        } catch let error as Status {
            throw error
        } catch {
            throw .failure(.configuration, "\(path): \(error)")
        }
    }

    private static func messages(of path: String) throws -> [OutgoingMessage] {
        guard let text = try DurableFile.read(path, limit: 64 << 20) else {
            throw Status.failure(.configuration, "\(path): no such file")
        }
        do throws(MessageLineError) {
            return try OutgoingMessage.lines(text)
        } catch {
            throw Status.failure(.configuration, "\(path): \(error)")
        }
    }
}
