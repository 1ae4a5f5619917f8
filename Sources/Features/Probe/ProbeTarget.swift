// SPDX-License-Identifier: Apache-2.0
import Network
import Venue

/// What `probe` is to look at.
enum ProbeTarget: Equatable, Sendable {
    case file(String)
    /// A URL of the scheme `http` or `https`.
    case url(String)
    /// A multicast group, or an address of the box.
    case group(address: String, port: UInt16)

    /// - Throws: a status that says what is expected.
    init(_ text: String) throws(Status) {
        if text.hasPrefix("/") {
            self = .file(text)
            return
        }
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            self = .url(text)
            return
        }
        for scheme in ["udp://", "rtp://"] where text.hasPrefix(scheme) {
            self = try Self.group(text.dropFirst(scheme.count), text)
            return
        }
        throw Self.refusal(text)
    }

    /// - Parameter place: `239.1.1.1:5000`, `@239.1.1.1:5000` or `[ff3e::1]:5000`.
    private static func group(_ place: Substring, _ text: String) throws(Status) -> ProbeTarget {
        let place = place.first == "@" ? place.dropFirst() : place
        guard let colon = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: colon)...]), port > 0
        else { throw refusal(text) }
        var address = place[..<colon]
        if address.first == "[", address.last == "]" { address = address.dropFirst().dropLast() }
        guard let numeric = NumericAddress(String(address)) else { throw refusal(text) }
        return .group(address: numeric.description, port: port)
    }

    private static func refusal(_ text: String) -> Status {
        .failure(
            .failed,
            "what is \"\(text)\"; expected an absolute path, a URL of http or https, or udp://ADDRESS:PORT or rtp://ADDRESS:PORT"
        )
    }
}
