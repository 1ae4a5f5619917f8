// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct SendPing: DeferredCommand {
    var host = ""
    var count = 4

    static let about = About(
        "ping", "Ask another machine for a sign of life, and see how long it takes",
        help: """
            HOST is a numeric address, with its interface if it is link-local (fe80::1%eth0), or a name, which the name \
            servers of the box know. Requests are ICMP echoes, one a second; many hosts answer none by intent. The box \
            goes on playing meanwhile.
            """, role: .operator, onlyAsks: true)
    static let shape = Shape<Self>([
        .argument("host", \.host, .formatted(.host), "Address or name of the machine."),
        .option("count", \.count, .integer(1...20), "How many requests."),
    ])

    func run(on ping: Ping, _ reply: Reply<PingAnswer>) { ping.begin(host, count, reply) }
}

extension TextFormat {
    /// What can be a host: nothing that a resolver or a log would take for something else.
    static let host = TextFormat(
        "a numeric address, or a name of up to 253 letters, digits, '-', '_' and '.'",
        schema: ["pattern": "^[0-9A-Za-z._:%][0-9A-Za-z._:%-]{0,252}$"]
    ) { text in
        (1...253).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                        || "._:%-".unicodeScalars.contains(scalar))
            }
    }
}
