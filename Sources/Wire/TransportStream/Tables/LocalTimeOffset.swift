// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// The offset of a region's local time from UTC (ETSI EN 300 468 6.2.20).
public struct LocalTimeOffset: Sendable, Equatable {
    /// ISO 3166 alpha-3 as sent.
    public let country: String
    /// Time zone within the country, 0...63; 0 if the country has one zone.
    public let region: UInt8
    /// Offset to add to UTC, in whole minutes.
    public let offset: Nanoseconds
    /// Time in UTC from which `nextOffset` holds; nil if undefined.
    public let changesAt: WallTime?
    public let nextOffset: Nanoseconds

    public init(country: String, region: UInt8, offset: Nanoseconds, changesAt: WallTime?, nextOffset: Nanoseconds) {
        self.country = country
        self.region = region
        self.offset = offset
        self.changesAt = changesAt
        self.nextOffset = nextOffset
    }

    init(from reader: inout WireReader) throws(WireError) {
        country = String(decoding: reader.bytes[try reader.take(3)], as: UTF8.self)
        let flags: UInt8 = try reader.read()
        region = flags >> 2
        let isNegative = flags & 1 != 0  // one polarity for both offsets
        let now = try DVBTime.offset(from: &reader, "local_time_offset")
        changesAt = try DVBTime.time(from: &reader, "time_of_change")
        let next = try DVBTime.offset(from: &reader, "next_time_offset")
        offset = isNegative ? -now : now
        nextOffset = isNegative ? -next : next
    }
}
