// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// A row of the line-up as JSON. It is made once and shared by all events that show the channel.
struct ChannelDocument: Sendable {
    private(set) var json: JSONValue

    init(_ row: ChannelRow) { json = row.json }

    /// The document with a further member.
    func adding(_ name: String, _ value: JSONValue) -> ChannelDocument {
        var result = self
        result.json[name] = value
        return result
    }

    /// The sorted names of the members that differ.
    func difference(from other: ChannelDocument) -> [String] {
        let (mine, others) = (json.object ?? [:], other.json.object ?? [:])
        return Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }.sorted()
    }
}

extension Codec where Value == ChannelDocument {
    static var channel: Codec { Codec(ChannelRow.kind, decode: { _ in nil }, encode: { $0.json }) }
}
