// SPDX-License-Identifier: Apache-2.0
import Time

/// Something that goes wrong in a simulated venue, or is done there, for a while.
public struct SimulatedStory: Equatable, Sendable {
    public enum Name: String, CaseIterable, Sendable {
        /// One access point loses packets and is heard badly.
        case accessPoint = "access-point"
        /// All boxes behind one switch reach no reporter; afterwards they send what they have kept.
        case deadSwitch = "dead-switch"
        /// One channel of the radio is full of others' traffic.
        case badChannel = "bad-channel"
        /// The boxes start again, one after the other, with another version.
        case rollout = "roll-out"
        /// No box reaches the reporter.
        case outage

        /// Whether boxes cannot send while it lasts.
        public var cutsOff: Bool { self == .deadSwitch || self == .outage }
    }

    public let name: Name
    /// When it begins and ends, from the start of the simulation.
    public let span: Range<Nanoseconds>

    public init(_ name: Name, _ span: Range<Nanoseconds>) { (self.name, self.span) = (name, span) }

    /// How much of the time up to an instant it has lasted, in seconds.
    func seconds(until instant: Nanoseconds) -> Double {
        max(0, (min(instant, span.upperBound) - span.lowerBound).inSeconds)
    }
}

extension Nanoseconds {
    var inSeconds: Double { Double(count) / 1e9 }
}
