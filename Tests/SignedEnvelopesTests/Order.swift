// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

@testable import SignedEnvelopes

enum Order {
    static let sample = SignedOrder(
        target: .group("bar"), revision: 42, base: 41, notBefore: WallTime(rfc3339: "2026-11-21T10:00:00Z"),
        expires: WallTime(nanoseconds: 1_795_262_400_000_000_000), confirmWithin: 120, comment: "louder",
        change: .merge(["sound": ["volume": 60]]))

    /// The sample with one member changed.
    static func document(_ patch: JSONValue = [:]) -> JSONValue { sample.json.merging(patch: patch) }
}
