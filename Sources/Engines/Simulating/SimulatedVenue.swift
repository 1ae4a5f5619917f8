// SPDX-License-Identifier: Apache-2.0
import Time

/// A venue that is made up: access points on channels, boxes spread over them, and what happens to them. It follows from
/// its seed, opens nothing and reads no clock.
///
/// Boxes are numbered from 0. 25 stand around each access point, and four access points are behind one switch.
public struct SimulatedVenue: Sendable {
    /// An access point of the venue, by its number from 0.
    public struct AccessPoint: Equatable, Sendable {
        public let number: Int
        public let bssid: String
        public let name: String
        /// Of the band of 5 GHz.
        public let channel: Int
    }

    static let boxesOfAccessPoint = 25
    static let accessPointsOfSwitch = 4
    private static let channels = [36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112, 149, 153, 157, 161]
    /// Packets of 1,316 octets of a channel of 6 Mbit/s.
    static let packetsPerSecond = 570.0
    static let windowsPerSecond = 10.0
    /// The part of the packets that repair brings back.
    static let repairedPart = 0.05

    public let boxCount: Int
    public let stories: [SimulatedStory]
    let noise: SeededNoise

    /// - Parameter boxCount: at least 1.
    public init(boxCount: Int, seed: UInt64, stories: [SimulatedStory] = []) {
        precondition(boxCount > 0)
        (self.boxCount, self.stories, noise) = (boxCount, stories, SeededNoise(seed: seed))
    }

    // MARK: Places

    public var accessPointCount: Int { (boxCount + Self.boxesOfAccessPoint - 1) / Self.boxesOfAccessPoint }
    var switchCount: Int { (accessPointCount + Self.accessPointsOfSwitch - 1) / Self.accessPointsOfSwitch }

    public func identifier(of box: Int) -> String { "sim-\(Self.digits(box + 1))" }

    public func accessPoint(of box: Int) -> AccessPoint { accessPoint(box / Self.boxesOfAccessPoint) }

    func accessPoint(_ number: Int) -> AccessPoint {
        let octets = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)].map {
            ($0 < 16 ? "0" : "") + String($0, radix: 16)
        }
        return AccessPoint(
            number: number, bssid: "02:51:00:00:\(octets[0]):\(octets[1])", name: "AP \(number + 1)",
            channel: Self.channels[number % Self.channels.count])
    }

    static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 5 - text.count)) + text
    }

    // MARK: Stories

    /// Whether a story is about this box; of a roll-out all are.
    func concerns(_ box: Int, _ story: SimulatedStory) -> Bool {
        let accessPoint = accessPoint(of: box)
        switch story.name {
        case .accessPoint: return accessPoint.number == accessPointCount / 3
        case .deadSwitch: return accessPoint.number / Self.accessPointsOfSwitch == switchCount / 2
        case .badChannel: return accessPoint.channel == Self.channels[min(accessPointCount, Self.channels.count) - 1]
        case .rollout, .outage: return true
        }
    }

    /// What goes on at a box.
    public func happening(to box: Int, at instant: Nanoseconds) -> [SimulatedStory.Name] {
        stories.filter { $0.span.contains(instant) && concerns(box, $0) }.map(\.name)
    }

    public func isCutOff(_ box: Int, at instant: Nanoseconds) -> Bool {
        happening(to: box, at: instant).contains { $0.cutsOff }
    }

    /// When a box starts for the second time, with another version; nil if it does not.
    public func restart(of box: Int) -> Nanoseconds? {
        guard let rollout = stories.first(where: { $0.name == .rollout }) else { return nil }
        let length = rollout.span.upperBound - rollout.span.lowerBound
        return rollout.span.lowerBound + Nanoseconds(length.count / Int64(boxCount) * Int64(box))
    }

    // MARK: The radio

    /// What a box hears of its access point, dBm: the farther away, the less.
    func signal(of box: Int, at instant: Nanoseconds) -> Int64 {
        let metres = 3 + 27 * noise.unit(1, box)
        let sway = 4 * noise.unit(2, box, UInt64(clamping: instant.seconds / 5)) - 2
        let fault = happening(to: box, at: instant).contains(.accessPoint) ? 15.0 : 0
        return Int64(-44 - metres * 0.8 + sway - fault)
    }

    /// The part of the time for which a channel is busy, 0 to 1.
    func load(of channel: Int, isBad: Bool, at instant: Nanoseconds) -> Double {
        guard !isBad else { return 0.9 + 0.08 * noise.unit(3, channel, UInt64(clamping: instant.seconds)) }
        return 0.15 + 0.25 * noise.unit(4, channel) + 0.1
            * noise.unit(3, channel, UInt64(clamping: instant.seconds / 5))
    }

    /// The part of the packets that a box misses before repair while nothing is the matter.
    func usualLoss(of box: Int) -> Double {
        let weakness = max(0, 27 * noise.unit(1, box) - 20)  // metres beyond 23
        return 0.001 + 0.004 * weakness * noise.unit(5, box)
    }

    /// The part that a story adds to it.
    static func loss(of story: SimulatedStory.Name) -> Double {
        switch story {
        case .accessPoint: 0.14
        case .badChannel: 0.09
        case .deadSwitch, .rollout, .outage: 0
        }
    }
}
