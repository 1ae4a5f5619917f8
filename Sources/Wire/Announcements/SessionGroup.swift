// SPDX-License-Identifier: Apache-2.0

/// `a=group` (RFC 5888): media that belong together, named by their `a=mid`.
public struct SessionGroup: Equatable, Sendable {
    static let mostMembers = 32

    /// `FEC-FR` (RFC 5956) or its predecessor `FEC` (RFC 4756): source and repair flows. `DUP` (RFC 7104): copies of
    /// one stream. `LS`: media to be synchronised.
    public var semantics: String
    public var members: [String]

    init?(_ text: String) {
        let fields = text.split(separator: " ")
        guard let semantics = fields.first else { return nil }
        self.semantics = String(semantics)
        members = fields.dropFirst().prefix(Self.mostMembers).map(String.init)
    }

    public var isRepair: Bool { ["FEC-FR", "FEC"].contains(semantics) }
    /// Whether the media are copies of one stream.
    public var isDuplication: Bool { semantics == "DUP" }
}

extension SessionDescription {
    public var groups: [SessionGroup] {
        attributes.filter { $0.name == "group" }.compactMap { $0.value.flatMap { SessionGroup($0) } }
    }

    /// The media that repair this one, in the order of the description; empty if the description has no such group.
    public func repairs(of source: Media) -> [Media] {
        guard let name = source.identification else { return [] }
        let members = Set(groups.filter { $0.isRepair && $0.members.contains(name) }.flatMap(\.members))
        return media.filter { candidate in
            guard let other = candidate.identification, other != name else { return false }
            return members.contains(other) && candidate.repairFlow != nil
        }
    }

    /// The media that are copies of this one (RFC 7104 §4.1), in the order of the description.
    public func copies(of media: Media) -> [Media] {
        guard let name = media.identification else { return [] }
        let members = Set(groups.filter { $0.isDuplication && $0.members.contains(name) }.flatMap(\.members))
        return self.media.filter { candidate in
            guard let other = candidate.identification, other != name else { return false }
            return members.contains(other)
        }
    }
}
