// SPDX-License-Identifier: Apache-2.0
import JSON
import Radio

extension AccessPointFigures {
    /// A member of `accessPoints` of a report.
    public var json: JSONValue {
        [
            "bssid": .string(bssid.description), "name": JSONValue(known: name), "ssid": JSONValue(known: ssid),
            "channel": JSONValue(known: channel?.number), "band": JSONValue(known: channel?.band?.text),
            "seconds": .integer(seconds), "packets": .integer(packets), "lost": .integer(lost),
            "windows": .integer(windows), "failedWindows": .integer(failedWindows),
            "signalDbm": JSONValue(known: signal),
        ]
    }
}
