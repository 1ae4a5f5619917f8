// SPDX-License-Identifier: Apache-2.0
import Enrolling
import JSON

extension EnrolledBox {
    /// What people see of it: no digests.
    var document: JSONValue {
        var members: [String: JSONValue] = [
            "state": .string(state.rawValue), "since": .string(since.description), "by": .string(by),
            "tags": .array(tags.map { .string($0) }),
        ]
        members["fingerprint"] = fingerprint.map { .string($0) }
        members["name"] = name.map { .string($0) }
        members["why"] = why.map { .string($0) }
        if !replaces.isEmpty { members["replaces"] = .array(replaces.map { .string($0) }) }
        members["replacedBy"] = replacedBy.map { .string($0) }
        return .object(members)
    }
}

extension PendingBox {
    var document: JSONValue {
        var members: [String: JSONValue] = [
            "enrolment": .string(id), "box": .string(box), "name": .string(name), "version": .string(version),
            "first": .string(first.description), "asked": .string(asked.description), "why": .string(why),
        ]
        members["fingerprint"] = fingerprint.map { .string($0) }
        members["refused"] = refused.map { .string($0) }
        return .object(members)
    }
}

extension EnrolmentToken {
    /// - Parameter text: of the token, which is told once.
    func document(_ text: String? = nil) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "created": .string(created.description), "expires": .string(expires.description),
            "usesLeft": .integer(usesLeft), "by": .string(by), "tags": .array(tags.map { .string($0) }),
        ]
        members["boxName"] = boxName.map { .string($0) }
        members["token"] = text.map { .string($0) }
        return .object(members)
    }
}

extension Enrolments {
    /// What is added to the document of a box; nil if nothing is known.
    func patch(of box: String) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        members["enrolment"] = boxes[box]?.document
        if let sightings = clones[box]?.sightings, !sightings.isEmpty {
            members["clones"] = .array(sightings.map(\.json))
        }
        return members.isEmpty ? nil : .object(members)
    }

    /// Boxes whose history is shown with that of a box, because it has their place.
    func predecessors(of box: String) -> [String] { boxes[box]?.replaces ?? [] }
}
