// SPDX-License-Identifier: Apache-2.0
import Venue

extension LineUp {
    /// The channel or playlist that a person means.
    /// - Parameter text: name, id or number.
    /// - Throws: the answer to whoever named something that is not listed.
    public func entry(of text: String) throws(Status) -> ListedChannel {
        if let entry = entry(matching: text) { return entry }
        let known = listed.filter { !$0.isHidden }.map(\.name).prefix(8).joined(separator: ", ")
        throw .failure(
            .failed, "channel '\(text)' is not in the line-up: expected one of \(known.isEmpty ? "none" : known)")
    }
}
