// SPDX-License-Identifier: Apache-2.0
import JSON

/// Where the members of a group stand in its object of `stats`, worked out once, so that values are written without
/// anything being made of them first.
struct StatisticTemplate: Sendable {
    /// A member, or the beginning or the end of an object in which others stand.
    private struct Step: Sendable {
        enum Kind: Sendable { case member, beginning, end }

        let kind: Kind
        /// Index of the member.
        var member = 0
        /// Where its name stands in `keys`, with its colon.
        var key = 0..<0
    }

    private var steps: [Step] = []
    private var keys: [UInt8] = []

    /// - Parameter paths: the path of keys of each member; no two are the same.
    init(_ paths: [[String]]) { place(Array(paths.indices), of: paths, depth: 0) }

    /// Places the members whose paths are the same up to a depth.
    private mutating func place(_ members: [Int], of paths: [[String]], depth: Int) {
        var placed: Set<String> = []
        for member in members where placed.insert(paths[member][depth]).inserted {
            let name = paths[member][depth]
            let start = keys.count
            keys += JSONValue.string(name).octets() + [UInt8(ascii: ":")]
            if paths[member].count == depth + 1 {
                steps.append(Step(kind: .member, member: member, key: start..<keys.count))
            } else {
                steps.append(Step(kind: .beginning, key: start..<keys.count))
                place(members.filter { paths[$0][depth] == name }, of: paths, depth: depth + 1)
                steps.append(Step(kind: .end))
            }
        }
    }

    /// Appends the object. Members without a value are left out, and so are objects without members.
    /// - Parameter value: the value of the member of an index.
    func write(to octets: inout [UInt8], _ value: (Int) -> StatisticValue?) {
        octets.append(UInt8(ascii: "{"))
        // Where the objects that are open begin.
        var open: [Int] = []
        for step in steps {
            guard step.kind != .end else {
                let start = open.removeLast()
                if octets.last == UInt8(ascii: "{") {
                    octets.removeLast(octets.count - start)
                } else {
                    octets.append(UInt8(ascii: "}"))
                }
                continue
            }
            let start = octets.count
            if octets.last != UInt8(ascii: "{") { octets.append(UInt8(ascii: ",")) }
            octets += keys[step.key]
            if step.kind == .beginning {
                open.append(start)
                octets.append(UInt8(ascii: "{"))
            } else if let value = value(step.member) {
                value.write(to: &octets)
            } else {
                octets.removeLast(octets.count - start)
            }
        }
        octets.append(UInt8(ascii: "}"))
    }
}

extension StatisticValue {
    /// Appends the value as JSON.
    fileprivate func write(to octets: inout [UInt8]) {
        switch self {
        case .integer(let value): octets.append(contentsOf: String(value).utf8)
        default: octets += json.octets()
        }
    }
}
