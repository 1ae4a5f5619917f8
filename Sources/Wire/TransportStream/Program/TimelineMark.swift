// SPDX-License-Identifier: Apache-2.0

/// A time of a timeline that a stream of the program carries: that of the PES packet with this time stamp.
public struct TimelineMark: Sendable, Hashable {
    /// component_tag of the stream, by which a selector names it.
    public let componentTag: UInt8
    public let timelineID: UInt8
    public let timestamp: TimelineDescriptor.Timestamp
    public let isPaused: Bool
    /// Of the PES packet: ticks of 90 kHz, modulo 2^33.
    public let pts: UInt64
}
