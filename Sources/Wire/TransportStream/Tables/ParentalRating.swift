// SPDX-License-Identifier: Apache-2.0
import Bytes

/// For whom a country deems an event fit (ETSI EN 300 468 6.2.28).
public struct ParentalRating: Sendable, Equatable {
    /// ISO 3166 alpha-3 as sent.
    public let country: String
    /// 0 undefined, 1...15 minimum age less 3, above that the broadcaster's own.
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
