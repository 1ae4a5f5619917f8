// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import SignedEnvelopes
import Time

/// Decides whether a group command is carried out: what it is, for whom, who signed it, when, and whether it was had before.
/// It reads no clock and writes no file.
public struct GroupCommandAdmission: Sendable {
    /// How far the clock of a sender may be ahead of the box's.
    public static let tolerance = Nanoseconds.seconds(10)
    /// Commands of which further copies are known by their octets. What is older than these is known by its sequence.
    private static let mostRecent = 32

    /// A command that is carried out, and the key that signed it.
    public struct Admitted: Equatable, Sendable {
        public let command: SignedCommand
        public let request: CommandRequest
        public let key: String
        /// Where it came from.
        public let source: String
        /// When it is carried out; the time of its arrival if it says none.
        public let due: Monotonic
    }

    public var keys: [OrderKey]
    public var recipient: OrderRecipient
    public internal(set) var memory: SequenceMemory
    private let catalogue: Catalogue
    private var budget = SignatureBudget()
    private var recent: [[UInt8]] = []

    /// - Parameter catalogue: has the commands that a group may be given.
    public init(keys: [OrderKey], recipient: OrderRecipient, memory: SequenceMemory, catalogue: Catalogue) {
        self.keys = keys
        self.recipient = recipient
        self.memory = memory
        self.catalogue = catalogue
    }

    /// Judges the text of an envelope.
    ///
    /// The memory has the sequence of an admitted command afterwards. It has to be on the disk before the command is carried
    /// out.
    /// - Parameter source: the sender's address.
    /// - Returns: nil for a further copy of a command that was admitted.
    public mutating func admit(
        _ octets: [UInt8], from source: String, at clock: OrderClock, _ now: Monotonic
    ) throws(CommandRefusal) -> Admitted? {
        guard octets.count <= SignedCommand.mostEnvelopeOctets else {
            throw .tooLong(.tooLong(octets: octets.count, limit: SignedCommand.mostEnvelopeOctets))
        }
        guard !recent.contains(octets) else { return nil }
        let (envelope, command) = try Self.read(octets)
        guard recipient.isMeant(by: command.target) else { throw .otherTarget(command.target) }
        let key = try signer(of: envelope, command, at: clock.now)
        let request = try request(for: command)
        try checkTime(of: command, at: clock)
        try checkSequence(of: command, key)
        guard budget.spend(on: source, at: now) else {
            throw .tooMany("\(source) sends more group commands than are checked")
        }
        guard key.key.isSignature(envelope.signatures[0].octets, of: envelope.signedOctets) else {
            throw .wrongSignature(key: key.id)
        }
        budget.trust(source)
        guard memory.remember(command.sequence, of: key.fingerprint) else {
            throw .memory("it has no room for one more key than \(SequenceMemory.mostKeys)")
        }
        recent.append(octets)
        if recent.count > Self.mostRecent { recent.removeFirst() }
        let wait = command.actAt.map { max(0, $0.nanoseconds - clock.now.nanoseconds) } ?? 0
        return Admitted(
            command: command, request: request, key: key.id, source: source, due: now + Nanoseconds(wait))
    }

    /// Takes back what was admitted since this memory was kept, because it could not be kept: copies may still come.
    mutating func forget(to kept: SequenceMemory) {
        memory = kept
        recent = []
    }

    // MARK: Checks

    /// There is one signature: of several, each without the others would be another command.
    private static func read(_ octets: [UInt8]) throws(CommandRefusal) -> (SignedEnvelope, SignedCommand) {
        do throws(EnvelopeError) {
            let envelope = try SignedEnvelope(parsing: octets)
            guard envelope.payloadType == SignedCommand.payloadType else {
                throw EnvelopeError.otherType(envelope.payloadType, expected: SignedCommand.payloadType)
            }
            guard envelope.signatures.count == 1 else {
                throw EnvelopeError.invalid([
                    Problem(path: "/signatures", expectation: "an array of one element")
                ])
            }
            return (envelope, try SignedCommand(payload: envelope.payload))
        } catch {
            throw .malformed(error)
        }
    }

    /// The key that the envelope names, if it may give this command to these boxes.
    private func signer(
        of envelope: SignedEnvelope, _ command: SignedCommand, at now: WallTime
    ) throws(CommandRefusal) -> OrderKey {
        let id = envelope.signatures[0].keyID
        guard let key = keys.first(where: { $0.id == id }) else { throw .unknownKey(id) }
        if let expires = key.expires, now >= expires { throw .keyExpired(key: id, expires) }
        guard key.mayAddress(command.target) else { throw .keyWithoutTarget(key: id, command.target) }
        guard key.mayGive(command.command) else { throw .keyWithoutCommand(key: id, command.command) }
        return key
    }

    private func request(for command: SignedCommand) throws(CommandRefusal) -> CommandRequest {
        let description: CommandDescription
        var request: CommandRequest
        do throws(CommandError) {
            description = try catalogue.command(named: command.command)
            request = try CommandRequest(description, arguments: command.arguments)
        } catch {
            throw .notForGroups(error.status.errorString)
        }
        guard description.isForGroups, !request.asksForStream else {
            throw .notForGroups(
                "\"\(command.command)\" is not for groups; expected a command of the role operator")
        }
        request.caller = Caller(.groupCommand, role: .operator)
        return request
    }

    private func checkTime(of command: SignedCommand, at clock: OrderClock) throws(CommandRefusal) {
        guard clock.isSet else { throw .clockNotSet }
        let now = clock.now
        if command.sent.nanoseconds - now.nanoseconds > Self.tolerance.count {
            throw .early(command.sent, judged: now)
        }
        guard now < command.expires else { throw .expired(command.expires, judged: now) }
    }

    private func checkSequence(of command: SignedCommand, _ key: OrderKey) throws(CommandRefusal) {
        let highest = memory[key.fingerprint]
        guard command.sequence > highest else { throw .replayed(sequence: command.sequence, highest: highest) }
        // Neither is below 0, so that the difference is no overflow.
        guard command.sequence - highest <= OrderAdmission.widestJump else {
            throw .jump(sequence: command.sequence, highest: highest)
        }
    }
}
