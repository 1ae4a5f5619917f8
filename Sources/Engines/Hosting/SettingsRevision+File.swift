// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// A revision as the content of its file.
extension SettingsRevision {
    var fileOctets: [UInt8] {
        var file: JSONValue = [
            "revision": .integer(Int64(number)), "time": .string(time), "author": .string(author), "settings": document,
        ]
        if !comment.isEmpty { file["comment"] = .string(comment) }
        if let unconfirmed {
            file["unconfirmed"] = [
                "returnTo": .integer(Int64(unconfirmed.returnTo)),
                "startsLeft": .integer(Int64(unconfirmed.startsLeft)),
                "expected": .array(unconfirmed.expected.map(\.rawValue).sorted().map { .string($0) }),
            ]
        }
        return file.octets(pretty: true)
    }

    /// - Throws: a status that names what is wrong with the file.
    init(number: Int, file: JSONValue) throws(Status) {
        guard let settings = file["settings"], settings.object != nil else {
            throw .failure(.configuration, "/settings: expected an object")
        }
        self.init(
            number: number, author: file["author"]?.string ?? "", document: settings, time: file["time"]?.string ?? "",
            comment: file["comment"]?.string ?? "", unconfirmed: try file["unconfirmed"].map(Self.unconfirmed))
    }

    private static func unconfirmed(_ value: JSONValue) throws(Status) -> Unconfirmed {
        guard let returnTo = value["returnTo"]?.integer, let startsLeft = value["startsLeft"]?.integer,
            returnTo >= 0, let expected = value["expected"]?.array
        else { throw .failure(.configuration, "/unconfirmed: expected returnTo, startsLeft and expected") }
        return Unconfirmed(
            returnTo: Int(returnTo), startsLeft: Int(startsLeft),
            // A condition of another version of the service is none that this one could observe.
            expected: Set(expected.compactMap { $0.string.flatMap(WorkingCondition.init) }))
    }
}
