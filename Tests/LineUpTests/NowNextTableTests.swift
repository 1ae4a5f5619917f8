// SPDX-License-Identifier: Apache-2.0
import LineUp
import Testing
import Time
import Venue

struct NowNextTableTests {
    private static let pitch = Channel.ID("pitch")
    private static let stand = Channel.ID("stand")

    private static func at(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: seconds * 1_000_000_000) }

    private static func broadcast(_ title: String, from start: Int64?, for seconds: Int64?) -> Broadcast {
        Broadcast(title: title, start: start.map(at), duration: seconds.map { .seconds($0) })
    }

    private static let both = NowNext(
        now: broadcast("Match", from: 1_000, for: 100), next: broadcast("News", from: 1_100, for: 50))

    @Test func whatIsHeardHoldsWhateverTheClockSays() {
        var table = NowNextTable()
        #expect(table[Self.pitch] == nil)
        let first = table.heard(Self.both, on: Self.pitch)
        let again = table.heard(Self.both, on: Self.pitch)
        #expect(first && !again)
        // A recording, or a box whose clock is wrong.
        #expect(table.tick(at: Self.at(9_000)) == [])
        #expect(table[Self.pitch] == Self.both && table[Self.stand] == nil)
    }

    @Test func whatWasHeardIsKeptUntilItIsOver() {
        var table = NowNextTable()
        _ = table.heard(Self.both, on: Self.pitch)
        table.left(Self.pitch)
        #expect(table.tick(at: Self.at(1_099)) == [])
        #expect(table[Self.pitch] == Self.both)
        #expect(table.tick(at: Self.at(1_100)) == [Self.pitch])
        #expect(table[Self.pitch] == NowNext(now: Self.both.next))
        #expect(table.tick(at: Self.at(1_149)) == [])
        #expect(table.tick(at: Self.at(1_150)) == [Self.pitch])
        #expect(table[Self.pitch] == nil)
        #expect(table.tick(at: Self.at(1_151)) == [])
    }

    @Test func aGapAndALateLookAreNoTrouble() {
        var table = NowNextTable()
        let later = NowNext(now: nil, next: Self.broadcast("Film", from: 2_000, for: 60))
        _ = table.heard(later, on: Self.stand)
        _ = table.heard(Self.both, on: Self.pitch)
        table.left(Self.stand)
        table.left(Self.pitch)
        #expect(table.tick(at: Self.at(5_000)) == [Self.pitch, Self.stand])
        #expect(table[Self.pitch] == nil && table[Self.stand] == nil)
    }

    /// Nobody can say when it is over.
    @Test func whatHasNoEndEndsWithTheStream() {
        var table = NowNextTable()
        let endless = NowNext(now: Self.broadcast("Loop", from: nil, for: 60))
        _ = table.heard(endless, on: Self.pitch)
        table.left(Self.pitch)
        #expect(table.tick(at: Self.at(0)) == [Self.pitch])
        let unnamed = NowNext(now: Self.broadcast("Loop", from: 100, for: nil))
        _ = table.heard(unnamed, on: Self.pitch)
        table.left(Self.pitch)
        #expect(table.tick(at: Self.at(0)) == [Self.pitch])
    }

    @Test func returningSilenceAndRemoval() {
        var table = NowNextTable()
        _ = table.heard(Self.both, on: Self.pitch)
        table.left(Self.pitch)
        let isNews = table.heard(Self.both, on: Self.pitch)
        #expect(!isNews)
        #expect(table.tick(at: Self.at(9_000)) == [], "it is heard again")
        let falls = table.heard(NowNext(), on: Self.pitch)
        #expect(falls && table[Self.pitch] == nil)
        _ = table.heard(Self.both, on: Self.pitch)
        table.remove(Self.pitch)
        #expect(table[Self.pitch] == nil && table.tick(at: Self.at(9_000)) == [])
        // Times at the ends of what can be said.
        let extreme = NowNext(now: Broadcast(title: "", start: Self.at(9_000_000_000), duration: .seconds(900_000_000)))
        _ = table.heard(extreme, on: Self.pitch)
        table.left(Self.pitch)
        _ = table.tick(at: Self.at(0))
    }
}
