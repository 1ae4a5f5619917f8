// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import JSON
import Shapes

/// The group of boxes that elect among them whom all follow.
struct SyncGroupSettings: Record, Equatable {
    static let leastKeyOctets = 16

    /// Empty for no group.
    var name = ""
    var key = ""
    var isAppointed = false

    static let shape = Shape<Self>([
        .setting(
            "name", \.name, .text(0...32), .atOnce, "The same on all boxes of the group; empty: this box is in none."),
        .setting(
            "key", \.key, .text(0...256), .atOnce, isSecret: true,
            """
            A secret of 16 octets at least, the same on all boxes of the group. Only its holders lead, elect or are \
            followed. It is not stretched: take a random one.
            """),
        .setting(
            "isAppointed", \.isAppointed, .boolean, .atOnce,
            "Whether this box leads when it is there. If none is appointed, one of those that are locked does."),
    ])

    /// Whether the box is in a group.
    var isUsed: Bool { !name.isEmpty }

    /// - Parameter sync: the section that the group is a part of.
    func problems(in sync: SyncSettings) -> [Problem] {
        guard isUsed else { return [] }
        var problems: [Problem] = []
        if key.utf8.count < Self.leastKeyOctets {
            // The secret is not shown.
            problems.append(
                Problem(
                    path: "/group/key",
                    expectation: "a secret of \(Self.leastKeyOctets) octets at least, as group.name is set"))
        }
        if !sync.serve.isEnabled {
            problems.append(
                Problem(
                    path: "/serve/isEnabled", value: false,
                    expectation: "true, as group.name is set and each box of a group may have to lead"))
        }
        if let television = sync.television {
            problems.append(
                Problem(
                    path: "/television", value: .string(television.description),
                    expectation: "no television, as group.name is set and the group says who is followed"))
        }
        if sync.stated != nil {
            problems.append(
                Problem(
                    path: "/stated", value: .object([:]),
                    expectation: "no television, as group.name is set and the group says who is followed"))
        }
        return problems
    }
}
