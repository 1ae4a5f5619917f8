// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Network
import Shapes
import SignedEnvelopes
import Signing
import System
import Time
import Venue

/// The commands that sign a command for a group of boxes and send it, without a box.
struct GroupCommandSending {
    static let all = [sign, send]

    private static let send = CommandDescription(
        "group-send", "Have a group of boxes do something at once",
        help: """
            touchline group-send --key show.pem --key-id show --group bar --to 239.255.84.71:7684 'tune Arena'. The command \
            is one word of the shell. It is signed, and sent six times within 260 ms; boxes do it once. The last sequence is \
            kept in a file beside the key. config/PUSH.md says which boxes take it.
            """,
        fields: common + [
            .option("to", .formatted(.endpoint), "Group and port on which the boxes listen, ADDRESS:PORT; required."),
            .option("interface", .text(1...15), "Network interface; absent: the route decides."),
            .option("hops", .integer(1...255), "Routers that pass it on, and one; absent: 1."),
        ],
        answer: AnswerDescription(.record, SentCommand.descriptions), isLocal: true)

    private static let sign = CommandDescription(
        "group-sign", "Sign a command for a group of boxes",
        help: """
            Prints the envelope that group-send sends, on one line: for a data channel, or a sender of one's own.
            """, fields: common, isLocal: true)

    private static let common: [FieldDescription] = {
        var line = FieldDescription("line", .text(1...512), .required, "The command with its arguments.")
        line.place = .position
        return [
            line,
            .option("key", .formatted(.file), "File of the private key, as openssl genpkey writes it; required."),
            .option("keyId", .text(1...64), "What push.keys of the boxes calls the key; required."),
        ] + OrderCommands.targets + [
            .option(
                "afterMs", .integer(0...60_000),
                "All boxes do it so long after now, together as far as their clocks agree; absent: as soon as they have it."
            ),
            .option("lifeS", .integer(1...3_600), "Seconds for which it counts; absent: 10."),
            .option(
                "sequence", .integer(SignedCommand.sequences),
                "Above that of every command of the key before; absent: the next by the file beside the key."),
        ]
    }()

    /// What the client tells of a command that it sent.
    struct SentCommand: Answer {
        let sequence: Int64
        let command: String
        let target: String
        let to: String
        let octets: Int
        let copies: Int

        static let shape = Shape<Self>([
            .value("sequence", \.sequence, .count, "of the commands of the key"),
            .value("command", \.command, .text, "its name"),
            .value("target", \.target, .text, "the boxes that it is for"),
            .value("to", \.to, .text, "where it was sent"),
            .value("octets", \.octets, .count, "of a datagram"),
            .value("copies", \.copies, .count, "datagrams that were sent"),
        ])
    }

    private let request: CommandRequest
    private let command: SignedCommand
    let envelope: JSONValue

    /// - Parameter catalogue: that of the boxes.
    init(_ request: CommandRequest, in catalogue: Catalogue) throws(Status) {
        self.request = request
        let given = try Self.command(request.text("line") ?? "", in: catalogue)
        let path = try OrderCommands.required("key", request, "the file of a private key")
        let key = try OrderCommands.privateKey(path)
        let keyID = try OrderCommands.required("keyId", request, "what push.keys of the boxes calls the key")
        let target = try OrderCommands.target(request)
        let sequence: Int64
        if let given = request.integer("sequence") {
            sequence = given
        } else {
            sequence = try SequenceFile(besideKey: path).next(at: SystemClock.wall())
        }
        let now = SystemClock.wall()
        func later(_ milliseconds: Int64) -> JSONValue {
            .string(WallTime(nanoseconds: now.nanoseconds + milliseconds * 1_000_000).description)
        }
        let wait = request.integer("afterMs")
        var document: JSONValue = [
            "groupCommand": 1, "target": target, "sequence": .integer(sequence), "sent": later(0),
            "expires": later((wait ?? 0) + 1_000 * (request.integer("lifeS") ?? 10)),
            "command": .string(given.command), "arguments": given.arguments,
        ]
        document["at"] = wait.map { later($0) }
        let payload = document.octets()
        do throws(EnvelopeError) {
            command = try SignedCommand(payload: payload)
        } catch {
            throw .failure(.usage, "the command would be refused: \(error)")
        }
        envelope = OrderCommands.envelope(of: payload, SignedCommand.payloadType, by: key, keyID)
        let (octets, limit) = (envelope.octets().count, SignedCommand.mostEnvelopeOctets)
        guard octets <= limit else {
            throw .failure(.usage, "the envelope has \(octets) octets; expected at most \(limit)")
        }
    }

    /// The command of a line, as boxes of this version take it.
    private static func command(_ line: String, in catalogue: Catalogue) throws(Status) -> CommandRequest {
        let action: Invocation.Action
        do throws(CommandError) {
            action = try Invocation(CommandWords(line).words, in: catalogue).action
        } catch {
            throw error.status
        }
        guard case .request(let request) = action, catalogue[request.command]?.isForGroups == true else {
            throw .failure(.usage, "'\(line)' is not for groups; expected a command of the role operator")
        }
        return request
    }

    /// Sends all copies. One that cannot be sent is left out.
    /// - Throws: why none was sent.
    func send() throws(Status) -> JSONValue {
        let to = try OrderCommands.required("to", request, "the group and port on which the boxes listen")
        guard let (address, port) = TextFormat.parts(ofEndpoint: to) else {
            preconditionFailure("the option has a format")
        }
        let octets = envelope.octets()
        var failure: SystemCallError?
        var copies = 0
        do throws(SystemCallError) {
            let socket = try SendingSocket(
                to: address, port: port, interface: request.text("interface") ?? "",
                hops: Int(request.integer("hops") ?? 1))
            let start = SystemClock.monotonic()
            for offset in SignedCommand.copies {
                SystemClock.sleep(until: start + offset)
                octets.withUnsafeBytes { bytes in
                    do throws(SystemCallError) {
                        try socket.send(bytes)
                        copies += 1
                    } catch {
                        failure = error
                    }
                }
            }
        } catch {
            failure = error
        }
        guard copies > 0 else {
            throw .failure(.failed, "the command was not sent: \(failure?.description ?? "nothing was tried")")
        }
        return SentCommand(
            sequence: command.sequence, command: command.command, target: command.target.description, to: to,
            octets: octets.count, copies: copies
        ).json
    }
}

extension TextFormat {
    fileprivate static let endpoint = TextFormat(
        "an address and a port like 239.255.84.71:7684 or [ff15::544c]:7684", schema: ["pattern": "^.+:[0-9]{1,5}$"]
    ) { parts(ofEndpoint: $0) != nil }

    /// The numeric address and the port of a text.
    fileprivate static func parts(ofEndpoint text: String) -> (address: String, port: UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        var address = String(text[..<colon])
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = String(address.dropFirst().dropLast())
        } else if address.contains(":") {
            return nil
        }
        return NumericAddress(address) == nil ? nil : (address, port)
    }
}
