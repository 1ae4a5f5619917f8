// SPDX-License-Identifier: Apache-2.0
import JSON

/// An extension that a message carries under `private`: an object whose member `type` says whose it is.
public struct PrivateData: Hashable, Sendable {
    /// A URI.
    public let type: String
    /// All members of the object but `type`.
    public let members: [String: JSONValue]

    public init(type: String, members: [String: JSONValue] = [:]) {
        self.type = type
        self.members = members.filter { $0.key != "type" }
    }

    init(_ fields: MessageFields) throws(CompanionMessageError) {
        self.init(type: try fields.text("type", atMost: MessageLimits.uri), members: fields.members)
    }

    /// `type` stands first, the others in the order of their names.
    var octets: [UInt8] {
        var text = MessageText()
        text.add("type", .string(type))
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { text.add(name, value) }
        return text.octets
    }
}
