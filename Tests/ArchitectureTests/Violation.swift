// SPDX-License-Identifier: Apache-2.0

/// One place where the tree breaks a rule.
struct Violation: Hashable, CustomStringConvertible {
    let rule: Rule
    /// A target or a file.
    let place: String
    let reason: String

    init(_ rule: Rule, _ place: String, _ reason: String) {
        self.rule = rule
        self.place = place
        self.reason = reason
    }

    var description: String { "\(place): \(reason)" }
}
