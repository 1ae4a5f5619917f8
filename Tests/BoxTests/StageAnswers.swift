// SPDX-License-Identifier: Apache-2.0
import JSON

/// What the answers about the stage say, for the suites of its commands.
extension BoxTests {
    static func names(_ answer: JSONValue) -> [String] {
        (answer["regions"]?.array ?? []).compactMap { $0["name"]?.string }
    }

    static func row(_ name: String, of answer: JSONValue) -> JSONValue {
        answer["regions"]?.array?.first { $0["name"]?.string == name } ?? .null
    }
}
