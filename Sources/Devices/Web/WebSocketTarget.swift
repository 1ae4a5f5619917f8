// SPDX-License-Identifier: Apache-2.0
import System

/// Where a `WebSocketClient` connects to.
struct WebSocketTarget: Sendable {
    let host: String
    let port: UInt16
    let path: String

    /// Why the request cannot be written; nil if it can. The library cuts a longer path or host off.
    var fault: String? {
        let printable = 0x21...0x7e as ClosedRange<UInt8>
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 1_900, path.utf8.allSatisfy(printable.contains)
        else { return "the path is no path of a URL, or too long" }
        guard (1...100).contains(host.utf8.count), host.utf8.allSatisfy(printable.contains) else {
            return "the host is no host of a URL, or too long"
        }
        return nil
    }

    /// The field Host of the request: an IPv6 address is in brackets and has no zone.
    var authority: String {
        guard host.utf8.contains(UInt8(ascii: ":")) else { return "\(host):\(port)" }
        return "[\(host.prefix { $0 != "%" })]:\(port)"
    }
}
