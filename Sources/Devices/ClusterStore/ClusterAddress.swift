// SPDX-License-Identifier: Apache-2.0
internal import CLibPQ

/// How a database of PostgreSQL is reached, as libpq has it: `host=a,b,c dbname=touchline user=touchline`, or an address
/// that begins with `postgresql://`. What the text does not say is as it suits a program that has to find another host soon.
public struct ClusterAddress: Sendable, Equatable {
    /// Seconds and milliseconds, as libpq takes them.
    private static let usual = [
        "target_session_attrs": "read-write", "connect_timeout": "2", "keepalives": "1", "keepalives_idle": "5",
        "keepalives_interval": "1", "keepalives_count": "3", "tcp_user_timeout": "5000",
        "application_name": "touchline-reporter",
    ]

    let options: [String: String]
    /// Texts that nothing shows: passwords, also that of a key.
    let secrets: [String]

    /// - Throws: `.other`, without any part of the text, which may have a password.
    public init(_ text: String) throws(ClusterError) {
        var why: UnsafeMutablePointer<CChar>?
        defer { if let why { PQfreemem(why) } }
        guard let parsed = PQconninfoParse(text, &why) else {
            throw ClusterError(
                .other,
                "it cannot be read; expected \"host=a,b,c dbname=… user=…\" or \"postgresql://…\" as libpq has it")
        }
        defer { PQconninfoFree(parsed) }
        var options = Self.usual
        var secrets: [String] = []
        var option = parsed
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                let (name, text) = (String(cString: keyword), String(cString: value))
                options[name] = text
                if name.contains("password"), !text.isEmpty { secrets.append(text) }
            }
            option += 1
        }
        options["client_encoding"] = "UTF8"
        self.options = options
        self.secrets = secrets
    }

    /// A text of libpq's without secrets, on one line.
    func cleaned(_ text: String) -> String {
        var text = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
        for secret in secrets { text = text.replacing(secret, with: "…") }
        return text.replacing("\t", with: " ")
    }
}
