// SPDX-License-Identifier: Apache-2.0

/// The application `HbbTV` of DIAL: where the services of a television for companion screens are (TS 102 796 §14.7).
public struct CompanionApplication: Hashable, Sendable {
    public static let name = "HbbTV"
    /// Of DIAL's own elements, and of what HbbTV adds.
    public static let namespace = "urn:dial-multiscreen-org:schemas:dial"
    public static let addition = "urn:hbbtv:HbbTVCompanionScreen:2014"

    /// CSS-CII, from which all else of DVB-CSS follows; nil if the television does not synchronise.
    public var contentInformation: WebSocketURL?
    /// Messages between applications.
    public var applications: WebSocketURL?
    public var userAgent: String?

    public init(contentInformation: WebSocketURL?, applications: WebSocketURL? = nil, userAgent: String? = nil) {
        (self.contentInformation, self.applications, self.userAgent) = (contentInformation, applications, userAgent)
    }

    /// The XML document.
    public var octets: [UInt8] {
        let fields = [
            ("X_HbbTV_App2AppURL", applications?.description),
            ("X_HbbTV_InterDevSyncURL", contentInformation?.description), ("X_HbbTV_UserAgent", userAgent),
        ]
        let lines = fields.map { name, value in
            value.map { "<\(name) xmlns=\"\(Self.addition)\">\(MarkupText.escaped($0))</\(name)>" } ?? ""
        }
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <service xmlns="\(Self.namespace)" dialVer="1.7"><name>\(Self.name)</name><options allowStop="false"/>\
            <state>running</state><additionalData>\(lines.joined())</additionalData></service>

            """.utf8)
    }
}
