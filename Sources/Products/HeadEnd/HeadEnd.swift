// SPDX-License-Identifier: Apache-2.0
import Casting
import Journal
import System
import Time
import Venue

/// A head-end, whole: channels on the air and their announcements, until a signal ends them.
public final class HeadEnd {
    private let configuration: HeadEndConfiguration
    private let interface: String
    private let log = Journal().log(for: "casting")
    private let loop: EventLoop
    private var runs: [ChannelRun] = []
    private var announcers: [GroupAnnouncer] = []
    private var reported: Set<String> = []

    /// From the first call to the first datagram: encoders open meanwhile.
    private static let lead = Nanoseconds.milliseconds(300)

    /// - Throws: `Status` with the exit code of `config/CONVENTIONS.md`: 78 for the configuration.
    public init(_ options: HeadEndOptions) throws(Status) {
        configuration = try Self.configuration(from: options)
        interface = options.interface ?? configuration.interface ?? ""
        do {
            loop = try EventLoop()
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// - Parameter signals: made before the threads, which inherit what it blocks.
    public func run(until signals: borrowing SignalWatch) throws(Status) {
        defer { stop() }
        do {
            try start()
            _ = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in loop.stop() }
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
                ["name": channel.announcement.name, "address": transport.address, "port": transport.port])
        }
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
            guard let failure = run.failure.value, reported.insert(run.name).inserted else { continue }
            log(.error, "channel ended", ["name": run.name, "reason": failure])
        }
    }

    private func stop() {
        for announcer in announcers { announcer.sendDeletions() }
        for run in runs {
            run.stop()
            log(
                .notice, "channel stopped",
                [
                    "name": run.name, "datagrams": run.sent.value, "octets": run.sentOctets.value,
                    "refused": run.refused.value, "lateSlots": run.late.value,
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
            return try HeadEndConfiguration(parsing: text)
        } catch let error as Status {
            throw error
        } catch {
            throw .failure(.configuration, "\(path): \(error)")
        }
    }
}
