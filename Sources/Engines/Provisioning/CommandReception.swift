// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import Time

/// Takes group commands: judges them, has their sequences written, and has them carried out when these are on the disk, in
/// the order in which they came. While a file is written, the commands that come wait for the next one together. Forged
/// commands have nothing written.
public struct CommandReception: Sendable {
    public typealias Admitted = GroupCommandAdmission.Admitted

    public enum Action: Equatable, Sendable {
        /// The caller writes the memory, and says so with `written`.
        case write(SequenceMemory)
        case run(Admitted)
        /// The command was admitted and is not carried out after all.
        case refuse(Admitted, CommandRefusal)
    }

    /// Commands that wait for the disk at once.
    static let mostWaiting = 64

    public private(set) var admission: GroupCommandAdmission
    /// What is on the disk.
    private var kept: SequenceMemory
    /// What is being written, and the commands that are carried out then; nil if nothing is.
    private var writing: (memory: SequenceMemory, commands: [Admitted])?
    /// Commands for the next file.
    private var waiting: [Admitted] = []

    public init(_ admission: GroupCommandAdmission) {
        self.admission = admission
        kept = admission.memory
    }

    public mutating func use(_ keys: [OrderKey], _ recipient: OrderRecipient) {
        (admission.keys, admission.recipient) = (keys, recipient)
    }

    /// - Returns: nil for a further copy of a command that was admitted.
    public mutating func received(
        _ octets: [UInt8], from source: String, at clock: OrderClock, _ now: Monotonic
    ) throws(CommandRefusal) -> [Action]? {
        guard waiting.count < Self.mostWaiting else {
            throw .tooMany("\(Self.mostWaiting) group commands wait for the disk already")
        }
        guard let admitted = try admission.admit(octets, from: source, at: clock, now) else { return nil }
        waiting.append(admitted)
        return writing == nil ? write() : []
    }

    private mutating func write() -> [Action] {
        guard !waiting.isEmpty else { return [] }
        writing = (admission.memory, waiting)
        waiting = []
        return [.write(admission.memory)]
    }

    /// - Parameter problem: why the memory is not on the disk; nil if it is. Then none of the commands that wait is carried
    ///   out, but for copies of them that come later.
    public mutating func written(_ problem: String?) -> [Action] {
        guard let (memory, commands) = writing else { preconditionFailure("nothing is written") }
        writing = nil
        if let problem {
            let lost = commands + waiting
            waiting = []
            admission.forget(to: kept)
            return lost.map { .refuse($0, .memory(problem)) }
        }
        kept = memory
        return commands.map { .run($0) } + write()
    }
}
