// SPDX-License-Identifier: Apache-2.0
import Time

/// A timeline that a stream carries beside its time stamps (TEMI, ISO/IEC 13818-1 annex U).
public struct CarriedTimeline: Hashable, Sendable {
    public struct ID: Hashable, Sendable {
        /// The tag that identifies the stream within its program (`stream_identifier_descriptor`).
        public let componentTag: UInt8
        public let number: UInt8

        public init(componentTag: UInt8, number: UInt8) {
            self.componentTag = componentTag
            self.number = number
        }
    }

    public let id: ID
    /// Ticks a second, 1..<2³².
    public let rate: Int64
    /// A time of the timeline with the time stamp of that place, 90 kHz; nil while the timeline is paused, and no place of
    /// the stream has a time of its own.
    public let medium: ClockCorrelation?

    public init(_ id: ID, rate: Int64, medium: ClockCorrelation?) {
        precondition((1...Int64(UInt32.max)).contains(rate))
        (self.id, self.rate, self.medium) = (id, rate, medium)
    }

    /// Whether it says the same as an earlier word on the timeline, to a tick.
    public func continues(_ before: CarriedTimeline) -> Bool {
        guard id == before.id, rate == before.rate else { return false }
        guard let medium, let old = before.medium else { return medium == nil && before.medium == nil }
        // Time stamps of 33 bits wrap, so the shorter of the two distances between them counts.
        let distance = centred(medium.ticks, old.ticks, StampSpan.stamps)
        let (high, low) = distance.multipliedFullWidth(by: rate)
        let (expected, _) = Int64(90_000).dividingFullWidth((high, low))
        return (-1...1).contains((medium.parentTicks &- old.parentTicks) &- expected)
    }
}
