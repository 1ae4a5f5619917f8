// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Arrays of C strings as libpq takes them, for as long as a call.
enum ClusterStrings {
    typealias Strings = [UnsafePointer<CChar>?]

    /// Keywords and values, each with a nil at its end.
    static func with<Result>(_ options: [String: String], _ body: (Strings, Strings) -> Result) -> Result {
        var copies: [UnsafeMutablePointer<CChar>?] = []
        defer { for copy in copies { free(copy) } }
        var (keywords, values): (Strings, Strings) = ([], [])
        for (keyword, value) in options.sorted(by: { $0.key < $1.key }) {
            for text in [keyword, value] { copies.append(strdup(text)) }
            keywords.append(copies[copies.count - 2].map { UnsafePointer($0) })
            values.append(copies[copies.count - 1].map { UnsafePointer($0) })
        }
        return body(keywords + [nil], values + [nil])
    }

    /// Values with their lengths, which count for binary ones alone, and formats.
    static func with<Result>(_ values: [ClusterValue], _ body: (Strings, [CInt], [CInt]) -> Result) -> Result {
        var octets: [UInt8] = []
        let places = values.map { value -> Range<Int>? in
            guard let sent = value.sent else { return nil }
            octets += sent
            return octets.count - sent.count..<octets.count
        }
        octets.append(0)  // so that an empty value at the end has an address
        return octets.withUnsafeBytes { bytes in
            let strings: Strings = places.map { place in
                place.flatMap { bytes.baseAddress?.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
            }
            return body(strings, places.map { CInt(clamping: $0?.count ?? 0) }, values.map { $0.isBinary ? 1 : 0 })
        }
    }
}
