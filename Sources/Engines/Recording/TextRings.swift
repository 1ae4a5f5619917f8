// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import Time

/// The rings of events and of samples of the statistics.
///
/// - Thread: one writes.
public final class TextRings: Sendable {
    public let events: OctetRing
    public let statistics: OctetRing

    private static let (eventsOctets, statisticsOctets) = (1 << 20, 2 << 20)
    /// Kinds of records; those of `InputLog` are lower.
    private static let (event, sample) = (UInt8(16), UInt8(17))

    public init(in directory: RingDirectory) throws(SystemCallError) {
        func ring(_ name: String, _ capacity: Int) throws(SystemCallError) -> OctetRing {
            let file = try directory.make(name, octets: OctetRing.octets(for: capacity))
            return OctetRing(in: file.memory, of: file, description: [])
        }
        events = try ring(RingDirectory.events, Self.eventsOctets)
        statistics = try ring(RingDirectory.statistics, Self.statisticsOctets)
    }

    public func add(event: JSONValue, at time: Monotonic) {
        event.octets().withUnsafeBytes { events.append(Self.event, at: time, $0) }
    }

    public func add(sample: JSONValue, at time: Monotonic) {
        sample.octets().withUnsafeBytes { statistics.append(Self.sample, at: time, $0) }
    }
}

extension BundlePlan {
    /// What a process that did not stop has left.
    public init(head: [UInt8], settings: [UInt8], left: [String: RingImage]) {
        self.init(head: head, settings: settings)
        journal = left[RingDirectory.events]
        samples = left[RingDirectory.statistics]
        for name in left.keys.sorted().reversed()
        where name != RingDirectory.events && name != RingDirectory.statistics {
            guard let image = left[name] else { continue }
            flows.append(Flow(description: image.description, packets: image))
        }
    }
}
