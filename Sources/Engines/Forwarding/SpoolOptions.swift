// SPDX-License-Identifier: Apache-2.0
import Time

/// How much a spool keeps, and how often it waits for the disk.
public struct SpoolOptions: Sendable {
    /// Octets of all segments together. If there would be more, the oldest segment is given up.
    public var mostOctets = 64 << 20
    /// Octets of a segment, and of the longest record.
    public var segmentOctets = 1 << 20
    /// Files at once: a service that starts over and over makes a segment each time.
    public var mostSegments = 2_048
    /// Octets of records that the disk does not take, in memory. If there are more, the oldest are given up.
    public var mostUnwrittenOctets = 1 << 20
    /// A segment is given up when its newest record is so old.
    public var longestAge = Nanoseconds.seconds(72 * 3_600)
    /// The least time from one flush of records to the next, unless there are events among them: flash memory wears.
    public var flushPause = Nanoseconds.seconds(1)
    /// The same for what is settled. Reports that were acknowledged in this time before a crash are sent again.
    public var statePause = Nanoseconds.seconds(30)
    /// How soon the disk is tried again after it failed.
    public var retryPause = Nanoseconds.seconds(5)

    /// Octets of the largest file that is read as a segment; those of former settings may be larger than today's.
    static let mostSegmentOctets = 16 << 20
    /// How often a file is tried that cannot be read, before it is left alone.
    static let mostReadings = 10

    public init() {}

    /// How long records are appended to one segment, so that none is kept for long because of those behind it.
    var segmentSpan: Nanoseconds { longestAge / 24 }

    /// - Returns: whether there is room for one more segment while one is full.
    var isConsistent: Bool {
        segmentOctets > SpoolRecord.headerOctets && segmentOctets <= Self.mostSegmentOctets
            && mostOctets >= 2 * segmentOctets && mostSegments > 1 && mostUnwrittenOctets > 0
    }
}
