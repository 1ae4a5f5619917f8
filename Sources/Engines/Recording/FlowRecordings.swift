// SPDX-License-Identifier: Apache-2.0
import Media
import System
import Time
import Venue

/// The rings of the channels that are received, and for a minute of the two that were left last.
///
/// - Thread: the control loop's only.
public final class FlowRecordings {
    public struct Options: Equatable, Sendable {
        public var isOn = true
        /// Seconds of a channel of usual rate that a ring has room for.
        public var seconds = 10
        public var keepsPayload = false

        public init() {}
    }

    private struct Recording {
        var description: FlowDescription
        let tap: PacketRing
        let file: SharedMemoryFile
        /// When the channel was left; nil as long as it is received.
        var closed: Monotonic?
    }

    public var options = Options()
    private let directory: RingDirectory
    private var recordings: [Recording] = []
    private var made = 0
    /// Why the last channel is not recorded; nil if it is.
    public private(set) var problem: String?
    /// Octets and dropped records of rings that are gone.
    private var gone = (octets: 0, dropped: 0)

    /// Channels at most: those that are received, and those that were.
    private static let most = 16
    private static let mostLeft = 2
    private static let afterlife = Nanoseconds.seconds(60)
    /// Octets of a second of headers at 10 Mbit/s, and of everything if the rate is not known.
    private static let (headerOctets, payloadOctets) = (200 << 10, 1 << 20)
    private static let (fewest, mostOctets) = (256 << 10, 60 << 20)

    public init(_ directory: RingDirectory) { self.directory = directory }

    /// - Returns: nil if the channel is not recorded.
    public func begin(_ description: FlowDescription?) -> PacketRing? {
        guard options.isOn, var description else { return nil }
        description.keepsPayload = options.keepsPayload
        while recordings.count >= Self.most {
            guard let place = recordings.firstIndex(where: { $0.closed != nil }) else { return nil }
            forget(at: place)
        }
        made += 1
        do throws(SystemCallError) {
            let octets = OctetRing.octets(for: capacity(of: description))
            let file = try directory.make("flow\(made)\(RingDirectory.suffix)", octets: octets)
            let ring = OctetRing(in: file.memory, of: file, description: description.json.octets())
            let tap = PacketRing(
                ring, keepsPayload: options.keepsPayload,
                isProtected: description.repair != nil || description.transport.secondPath != nil)
            recordings.append(Recording(description: description, tap: tap, file: file))
            problem = nil
            return tap
        } catch {
            problem = "\(error)"
            return nil
        }
    }

    private func capacity(of description: FlowDescription) -> Int {
        let rate = description.bandwidthKbps * 1_000 / 8
        let second =
            options.keepsPayload
            ? (rate > 0 ? rate * 5 / 4 : Self.payloadOctets) : max(Self.headerOctets, rate / 6)
        return min(max(second * options.seconds, Self.fewest), Self.mostOctets) & ~7
    }

    /// Repair that nobody announced is used from now on.
    public func found(_ repair: Repair, hold: Nanoseconds, by tap: (any InputTap)?) {
        guard let place = recordings.firstIndex(where: { $0.tap === tap }) else { return }
        recordings[place].description.found = repair
        recordings[place].description.hold = hold
        recordings[place].tap.ring.describe(recordings[place].description.json.octets())
    }

    /// The channel is left. What was recorded of it stays for a minute, unless two others are left after it: whoever
    /// changes channels all the time takes no more memory for it.
    public func end(_ tap: (any InputTap)?, at now: Monotonic) {
        guard let place = recordings.firstIndex(where: { $0.tap === tap }) else { return }
        recordings[place].closed = now
        while recordings.count(where: { $0.closed != nil }) > Self.mostLeft,
            let oldest = recordings.indices.filter({ recordings[$0].closed != nil })
                .min(by: { (recordings[$0].closed ?? now) < (recordings[$1].closed ?? now) })
        {
            forget(at: oldest)
        }
    }

    /// To be called once a second.
    public func expire(at now: Monotonic) {
        while let place = recordings.firstIndex(where: { $0.closed.map { now - $0 >= Self.afterlife } ?? false }) {
            forget(at: place)
        }
    }

    private func forget(at place: Int) {
        let one = recordings.remove(at: place)
        gone.octets += one.tap.ring.written
        gone.dropped += one.tap.ring.droppedRecords
        one.file.remove()
    }

    /// What is recorded now, the newest channel first.
    public var flows: [(description: [UInt8], ring: OctetRing)] {
        recordings.reversed().map { ($0.description.json.octets(), $0.tap.ring) }
    }

    /// Octets written to rings so far.
    public var octets: Int { recordings.reduce(gone.octets) { $0 + $1.tap.ring.written } }
    public var droppedRecords: Int { recordings.reduce(gone.dropped) { $0 + $1.tap.ring.droppedRecords } }
}
