// SPDX-License-Identifier: Apache-2.0
import Hosting
import JSON
import Shapes
import Venue

/// Where the log goes besides the journal.
struct SyslogSettings: SettingsSection {
    static let name = "syslog"
    static let help = "A collector that gets the service's log, each line as a datagram of RFC 5424."

    /// nil for none.
    var collector: NumericAddress?
    var port: UInt16 = 514

    static let shape = Shape<Self>([
        .setting("collector", \.collector, .collector, .atOnce, "Address of the collector; \"\": none."),
        .setting("port", \.port, .integer(1...65_535), .atOnce, "Its UDP port."),
    ])
}

extension Codec where Value == NumericAddress? {
    fileprivate static var collector: Codec {
        let format = TextFormat(
            "the numeric address of a host, or \"\"",
            schema: ["anyOf": [["const": ""], ["format": "ipv4"], ["format": "ipv6"]]]
        ) { $0.isEmpty || NumericAddress($0)?.isUnicast == true }
        return .formatted(
            format, parse: { $0.isEmpty ? .some(nil) : NumericAddress($0).map { .some($0) } },
            text: { $0?.description ?? "" })
    }
}
