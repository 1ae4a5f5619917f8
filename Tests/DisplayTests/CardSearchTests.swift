// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Testing

@testable import Display

/// Which of a machine's cards is used.
struct CardSearchTests {
    /// Cards by their paths; one that is not there cannot be opened, one that only draws is refused.
    private final class Machine: Sendable {
        let cards = Mutex<[String: FakeCard]>([:])
        let openings = Mutex(0)
        static let drawing = DisplayError.missing("a connector of /dev/dri/card9")

        func search() -> CardSearch {
            CardSearch(paths: ["a", "b", "c"]) { [self] path throws(DisplayError) -> any KMSDevice in
                if path == "c" { throw Self.drawing }
                guard let card = cards.withLock({ cards -> FakeCard? in cards[path] }) else {
                    throw .kms("open \(path)", code: ENOENT)
                }
                openings.withLock { $0 += 1 }
                return card
            }
        }

        func add(_ path: String, _ display: FakeCard.Display? = nil) -> FakeCard {
            let card = FakeCard(name: path)
            card[51] = display
            cards.withLock { $0[path] = card }
            return card
        }
    }

    private let machine = Machine()

    private func look(_ search: inout CardSearch, for connector: String? = nil) -> Result<CardSnapshot, DisplayError> {
        do throws(DisplayError) {
            return .success(try search.probe(for: connector))
        } catch {
            return .failure(error)
        }
    }

    private func found(_ search: inout CardSearch, for connector: String? = nil) -> String? {
        try? look(&search, for: connector).get().device.name
    }

    @Test func none() {
        var search = machine.search()
        guard case .failure(let error) = look(&search) else {
            Issue.record("a card was found")
            return
        }
        #expect(error == Machine.drawing, "what can be mended is told, rather than what is not there")
        _ = machine.add("b")
        #expect(found(&search) == "b", "one that comes later is found")
    }

    @Test func theOneWithAScreen() {
        let first = machine.add("a")
        let second = machine.add("b", .other)
        var search = machine.search()
        #expect(found(&search) == "b")
        first[50] = .television
        #expect(found(&search) == "b", "it is stayed with")
        second[51] = nil
        #expect(found(&search) == "a")
        first[50] = nil
        #expect(found(&search) == "a", "where none has a screen the last one may have again")
    }

    @Test func theNamedConnector() {
        let first = machine.add("a", .other)
        let second = machine.add("b")
        second[50] = .other
        var search = machine.search()
        #expect(found(&search, for: "HDMI-A-1") == "b")
        #expect(found(&search, for: "HDMI-A-2") == "a")
        first[51] = nil
    }

    @Test func aCardThatGoes() {
        let first = machine.add("a", .other)
        var search = machine.search()
        #expect(found(&search) == "a")
        first.isGone = true
        machine.cards.withLock { $0["a"] = nil }
        guard case .failure = look(&search) else {
            Issue.record("a card was found")
            return
        }
        _ = machine.add("a", .other)
        #expect(found(&search) == "a")
    }

    /// What had it in between, a splash screen, has gone without a word.
    @Test func aCardOfAnotherMasterIsOpenedAgain() {
        let card = machine.add("a", .other)
        var search = machine.search()
        #expect(found(&search) == "a" && found(&search) == "a")
        #expect(machine.openings.withLock { $0 } == 1)
        (card.isMaster, card.canBecomeMaster) = (false, false)
        #expect(found(&search) == "a" && found(&search) == "a")
        #expect(machine.openings.withLock { $0 } == 3)
        card.isMaster = true
        #expect(found(&search) == "a")
        #expect(machine.openings.withLock { $0 } == 3)
    }

    @Test func aGlanceIsAtTheSameCardAlone() throws {
        var search = machine.search()
        #expect(throws: DisplayError.self) { _ = try search.readCached() }
        let first = machine.add("a", .other)
        _ = found(&search)
        first[51] = nil
        _ = machine.add("b", .other)
        #expect(try search.readCached().device === first)
    }
}
