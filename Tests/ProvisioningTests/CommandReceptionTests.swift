// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Provisioning

@Suite final class CommandReceptionTests {
    private let maker: CommandMaker
    private var reception: CommandReception

    init() throws {
        maker = try CommandMaker()
        reception = CommandReception(maker.admission)
    }

    private func receive(_ sequence: Int64) throws -> [CommandReception.Action]? {
        let octets = maker.octets(try CommandMaker.command(sequence))
        return try reception.received(octets, from: "a", at: maker.clock, maker.now)
    }

    /// The sequences that are run, and how many files are written.
    private func summary(_ actions: [CommandReception.Action]?) -> [String] {
        (actions ?? []).map { action in
            switch action {
            case .write(let memory): "write \(memory.rows.map(\.highest).max() ?? 0)"
            case .run(let admitted): "run \(admitted.command.sequence)"
            case .refuse(let admitted, let refusal): "refuse \(admitted.command.sequence) \(refusal.reason)"
            }
        }
    }

    @Test func aCommandRunsWhenItsSequenceIsOnTheDisk() throws {
        #expect(summary(try receive(1)) == ["write 1"])
        #expect(try receive(1) == nil, "a copy")
        #expect(summary(reception.written(nil)) == ["run 1"])
        #expect(try receive(1) == nil)
        #expect(throws: CommandRefusal.replayed(sequence: 1, highest: 2)) {
            _ = try receive(2)
            let other = maker.octets(try CommandMaker.command(1, ["arguments": ["channel": "Other"]]))
            _ = try reception.received(other, from: "a", at: maker.clock, maker.now)
        }
    }

    /// Commands that come while a file is written share the next one, and run in their order.
    @Test func whatComesMeanwhileIsWrittenTogether() throws {
        #expect(summary(try receive(1)) == ["write 1"])
        for sequence in 2...5 as ClosedRange<Int64> { #expect(summary(try receive(sequence)) == []) }
        #expect(summary(reception.written(nil)) == ["run 1", "write 5"])
        #expect(summary(try receive(6)) == [])
        #expect(summary(reception.written(nil)) == ["run 2", "run 3", "run 4", "run 5", "write 6"])
        #expect(summary(reception.written(nil)) == ["run 6"])
    }

    /// What cannot be remembered is not carried out, but its next copy may be.
    @Test func aFullDiskLosesNoCopy() throws {
        #expect(summary(try receive(1)) == ["write 1"])
        #expect(summary(try receive(2)) == [])
        #expect(summary(reception.written("full")) == ["refuse 1 memory", "refuse 2 memory"])
        #expect(summary(try receive(1)) == ["write 1"])
        #expect(summary(reception.written(nil)) == ["run 1"])
        #expect(summary(try receive(2)) == ["write 2"])
        #expect(summary(reception.written("full")) == ["refuse 2 memory"])
        #expect(throws: CommandRefusal.self) {
            let again = maker.octets(try CommandMaker.command(1))
            _ = try reception.received(again, from: "a", at: maker.clock, maker.now)
        }
    }

    @Test func soManyWaitForTheDisk() throws {
        #expect(summary(try receive(1)) == ["write 1"])
        // One sender may not have so many checked at once.
        for sequence in 2...Int64(CommandReception.mostWaiting) + 1 {
            let octets = maker.octets(try CommandMaker.command(sequence))
            let later = maker.now + .seconds(Int64(sequence))
            #expect(try reception.received(octets, from: "a", at: maker.clock, later) == [])
        }
        #expect(throws: CommandRefusal.self) { _ = try receive(100) }
        #expect(summary(reception.written(nil)).count == 2)
    }

    /// Of forged ones, and copies, nothing is written.
    @Test func aFloodWritesNothing() throws {
        #expect(summary(try receive(9)) == ["write 9"])
        #expect(summary(reception.written(nil)) == ["run 9"])
        var mutation = Mutation(seed: 36)
        let genuine = maker.octets(try CommandMaker.command(10))
        for _ in 0..<Mutation.count() {
            let octets = mutation.damage(genuine)
            do throws(CommandRefusal) {
                let actions = try reception.received(octets, from: "b", at: maker.clock, maker.now)
                // A change that is none: white space outside of what is signed, or the name of a member that is passed over.
                if summary(actions) == ["write 10"] { _ = reception.written(nil) }
            } catch {
                #expect(reception.admission.memory.rows.count == 1)
            }
        }
    }
}
