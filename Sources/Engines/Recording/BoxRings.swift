// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import Time

/// The rings of events, of samples of the statistics, and of small pictures of the screen.
///
/// - Thread: one writes events and samples, one pictures.
public final class BoxRings: Sendable {
    public let events: OctetRing
    public let statistics: OctetRing
    public let pictures: OctetRing

    private static let (eventsOctets, statisticsOctets, picturesOctets) = (1 << 20, 2 << 20, 256 << 10)
    /// Kinds of records; those of `InputLog` are lower.
    private static let (event, sample, picture) = (UInt8(16), UInt8(17), UInt8(18))

    public init(in directory: RingDirectory) throws(SystemCallError) {
        func ring(_ name: String, _ capacity: Int) throws(SystemCallError) -> OctetRing {
            let file = try directory.make(name, octets: OctetRing.octets(for: capacity))
            return OctetRing(in: file.memory, of: file, description: [])
        }
        events = try ring(RingDirectory.events, Self.eventsOctets)
        statistics = try ring(RingDirectory.statistics, Self.statisticsOctets)
        pictures = try ring(RingDirectory.pictures, Self.picturesOctets)
    }

    public func add(event: JSONValue, at time: Monotonic) {
        event.octets().withUnsafeBytes { events.append(Self.event, at: time, $0) }
    }

    /// - Parameter sample: one value as JSON, in one line.
    public func add(sample: [UInt8], at time: Monotonic) {
        sample.withUnsafeBytes { statistics.append(Self.sample, at: time, $0) }
    }

    /// - Parameters:
    ///   - picture: a JPEG file.
    ///   - wall: when it was taken; it stands in front of the file, in a line of its own.
    public func add(picture: [UInt8], taken wall: WallTime, at time: Monotonic) {
        (Array("\(wall)\n".utf8) + picture).withUnsafeBytes { pictures.append(Self.picture, at: time, $0) }
    }

    /// Octets ever written, and records that were too long.
    public var written: (octets: Int, dropped: Int) {
        let all = [events, statistics, pictures]
        return (all.reduce(0) { $0 + $1.written }, all.reduce(0) { $0 + $1.droppedRecords })
    }
}

extension BundlePlan {
    /// What a process that did not stop has left.
    public init(head: [UInt8], settings: [UInt8], left: [String: RingImage]) {
        self.init(head: head, settings: settings)
        journal = left[RingDirectory.events]
        samples = left[RingDirectory.statistics]
        pictures = left[RingDirectory.pictures]
        for name in left.keys.sorted().reversed() where !RingDirectory.ofTheBox.contains(name) {
            guard let image = left[name] else { continue }
            flows.append(Flow(description: image.description, packets: image))
        }
    }
}
