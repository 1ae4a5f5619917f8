// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The parental rating of an event in a country (ETSI EN 300 468 6.2.28).
public struct ParentalRating: Sendable, Equatable {
    /// ISO 3166 alpha-3 as sent.
    public let country: String
    /// 0 undefined, 1...15 the minimum age minus 3, above that defined by the broadcaster.
    public let value: UInt8

    public init(country: String, value: UInt8) {
        self.country = country
        self.value = value
    }

    init(from reader: inout WireReader) throws(WireError) {
        country = String(decoding: reader.bytes[try reader.take(3)], as: UTF8.self)
        value = try reader.read()
    }
}
