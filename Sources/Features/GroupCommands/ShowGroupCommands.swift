// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Provisioning
import Shapes
import Venue

struct ShowGroupCommands: Command {
    static let about = About(
        "group-commands", "Show where group commands are heard, and which were had",
        help: """
            They come by multicast, signed with a key of push.keys that may give them; push-status lists the keys. \
            touchline group-send sends one.
            """, form: .record, example: "")
    static let shape = Shape<Self>()

    func run(on feature: GroupCommands) throws(Status) -> GroupCommandStatus { feature.status }
}

struct GroupCommandStatus: Answer {
    struct Port: Answer {
        let address: String
        let port: UInt16
        let interface: String
        let problem: String?

        init(_ port: GroupCommandPort) {
            address = port.place.address
            self.port = port.place.port
            interface = port.interface
            problem = port.problem
        }

        static let shape = Shape<Self>([
            .value("address", \.address, .text, "group, or address of the box"),
            .value("port", \.port, .integer(0...UInt16.max), "UDP port"),
            .value("interface", \.interface, .text, "empty: the route decides"),
            .unlessNil("problem", \.problem, .text, "why nothing is heard there; absent: the box listens"),
        ])
    }

    struct Sequence: Answer {
        let fingerprint: String
        let highest: Int64

        static let shape = Shape<Self>([
            .value("fingerprint", \.fingerprint, .text, "of the key, as push-status has it"),
            .value("highest", \.highest, .count, "highest sequence of a genuine command"),
        ])
    }

    let ports: [Port]
    let isClockSet: Bool
    let sequences: [Sequence]
    let problem: String?
    let last: LastGroupCommand?
    let lastRefusal: LastCommandRefusal?

    static let shape = Shape<Self>([
        .value("ports", \.ports, .list(of: .row), "where group commands are heard"),
        .value("isClockSet", \.isClockSet, .boolean, "without it none is carried out"),
        .value("sequences", \.sequences, .list(of: .row), "what was had of each key"),
        .unlessNil("problem", \.problem, .text, "why none is carried out; absent: they are"),
        .unlessNil("last", \.last, .row, "the last one since the start; absent: there was none"),
        .unlessNil("lastRefusal", \.lastRefusal, .row, "the last refusal since the start; absent: there was none"),
    ])
}
