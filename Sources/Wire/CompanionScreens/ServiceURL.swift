// SPDX-License-Identifier: Apache-2.0

/// What the URLs of companion screens have in common: `scheme://host[:port]` and a rest, in printable ASCII without user
/// and fragment (RFC 3986).
struct ServiceURL {
    /// In lower case.
    let scheme: String
    let host: ServiceHost
    /// 1...65 535; nil if there is none.
    let port: UInt16?
    /// Path and query; perhaps empty.
    let rest: String

    init?(_ text: String) {
        guard text.utf8.count <= MessageLimits.uri,
            text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") }),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].hasPrefix("://")
        else { return nil }
        scheme = text[..<colon].lowercased()
        let behind = text[colon...].dropFirst(3)
        let authority = behind.prefix { $0 != "/" && $0 != "?" }
        rest = String(behind[authority.endIndex...])
        let hostText: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            hostText = authority[...end]
        } else {
            hostText = authority.prefix { $0 != ":" }
        }
        guard let host = ServiceHost(hostText) else { return nil }
        self.host = host
        let portText = authority[hostText.endIndex...]
        guard !portText.isEmpty else {
            port = nil
            return
        }
        guard portText.first == ":", let number = Int64(decimal: portText.dropFirst()),
            let port = UInt16(exactly: number), port > 0
        else { return nil }
        self.port = port
    }
}
