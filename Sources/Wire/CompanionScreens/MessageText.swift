// SPDX-License-Identifier: Apache-2.0
import JSON

/// Writes a JSON object whose members keep the order in which they are added.
struct MessageText {
    private var body: [UInt8] = []

    mutating func add(_ name: String, _ value: JSONValue) { add(name, octets: value.octets()) }

    mutating func add(_ name: String, list: [[UInt8]]) {
        add(name, octets: [UInt8(ascii: "[")] + list.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
    }

    /// - Parameter octets: a JSON value.
    mutating func add(_ name: String, octets: [UInt8]) {
        if !body.isEmpty { body.append(UInt8(ascii: ",")) }
        body += JSONValue.string(name).octets()
        body.append(UInt8(ascii: ":"))
        body += octets
    }

    var octets: [UInt8] { [UInt8(ascii: "{")] + body + [UInt8(ascii: "}")] }
}
