// SPDX-License-Identifier: Apache-2.0
import Certificates
import JSON

/// Where the box is served by HTTP, and how.
extension SettingTrial {
    private static let byTLS: JSONValue = ["http": ["tls": true, "tlsPort": 0]]
    private static let certificate = Result {
        try ServerCertificate.selfSigned(name: "trial", hosts: (["box.example"], []))
    }

    private static func places(_ box: RunningBox) throws -> [JSONValue] {
        try box.answer("http-status")["places"]?.array ?? []
    }

    static func ofEndpoint() throws -> [SettingTrial] {
        let certificate = try certificate.get()
        let theirs: JSONValue = [
            "http": ["certificate": .string(certificate.certificate), "key": .string(certificate.key)]
        ]
        let port = Int64(SettingsVenue.webPort)
        return [
            SettingTrial("http.isEnabled", false, by: "status: no port") {
                try $0.answer("status")["httpPort"] == .null
            },
            SettingTrial("http.port", .integer(port), by: "status: port") {
                try $0.answer("status")["httpPort"] == .integer(port)
            },
            SettingTrial("http.tls", true, by: "status: port of TLS") {
                try $0.answer("status")["httpsPort"]?.integer != nil
            }.given(["http": ["tlsPort": 0]]),
            SettingTrial("http.tlsPort", .integer(port + 1), by: "status: port of TLS") {
                try $0.answer("status")["httpsPort"] == .integer(port + 1)
            }.given(byTLS),
            SettingTrial("http.listen", ["127.0.0.2"], by: "http-status: a place") {
                try places($0).contains { $0["address"] == "127.0.0.2" && $0["isSecure"] == true }
            }.given(byTLS),
            SettingTrial("http.names", ["box.example"], by: "http-status: a name") {
                try $0.answer("http-status")["names"]?.array?.contains("box.example") == true
            },
            // One of the pair alone is no change that is taken, so that another text of the same is set.
            SettingTrial("http.certificate", .string(certificate.certificate + "\n"), by: "EndpointTests").given(
                theirs),
            SettingTrial("http.key", .string(certificate.key + "\n"), by: "EndpointTests").given(theirs),
            SettingTrial("http.connections", 64, by: "http-status: connections") {
                try $0.answer("http-status")["connections"] == 64
            },
            SettingTrial("http.bodyKiB", 1, by: "HTTP: a longer body is refused") {
                let name = JSONValue.string(String(repeating: "x", count: 2_000))
                return try $0.http("POST", "/v1/tune", ["channel": name]).code == 413
            },
        ]
    }
}
