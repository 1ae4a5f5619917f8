// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// What a store keeps of a box, a key that waits, a token, or the signs of a clone. Documents have digests and no secrets.
public struct EnrolmentRecord: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable { case box, pending, token, clones }

    public let kind: Kind
    /// Of the box or of the key that waits; name of the token.
    public let id: String
    /// nil: there is none any more.
    public let document: JSONValue?

    public init(_ kind: Kind, _ id: String, _ document: JSONValue?) {
        (self.kind, self.id, self.document) = (kind, id, document)
    }
}

extension Enrolments {
    /// What has to be written of what was touched.
    public func records(of touched: Touched) -> [EnrolmentRecord] {
        touched.boxes.map { EnrolmentRecord(.box, $0, boxes[$0]?.json) }
            + touched.pending.map { EnrolmentRecord(.pending, $0, pending[$0]?.json) }
            + touched.tokens.map { EnrolmentRecord(.token, $0, tokens[$0]?.json) }
            + touched.clones.map { EnrolmentRecord(.clones, $0, clones[$0]?.json) }
    }

    /// Takes what a store has. It is not touched by that.
    /// - Returns: false if the record is none of ours.
    public mutating func take(_ record: EnrolmentRecord) -> Bool {
        let before = touched
        defer { touched = before }
        guard let document = record.document else {
            switch record.kind {
            case .box: forget(box: record.id)
            case .pending: pending[record.id] = nil
            case .token: tokens[record.id] = nil
            case .clones: clones[record.id] = nil
            }
            return true
        }
        switch record.kind {
        case .box:
            guard let box: EnrolledBox = Self.read(document), box.box == record.id else { return false }
            set(box)
        case .pending:
            guard let each: PendingBox = Self.read(document), each.id == record.id else { return false }
            pending[record.id] = each
        case .token:
            guard let token: EnrolmentToken = Self.read(document), token.name == record.id else { return false }
            tokens[record.id] = token
        case .clones:
            guard let sightings: CloneSightings = Self.read(document) else { return false }
            clones[record.id] = sightings
        }
        return true
    }

    private static func read<Kept: Record>(_ document: JSONValue) -> Kept? {
        Kept.kind.problems(of: document).isEmpty ? Kept(reading: document) : nil
    }
}
