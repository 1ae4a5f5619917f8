// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Reports
import Testing
import Time

@Suite struct VenueDigestTests {
    private static let start = Monotonic(nanoseconds: 1_000_000_000_000)

    private static func at(_ seconds: Int64) -> Monotonic { start + .seconds(seconds) }

    private static func box(_ id: String, _ seconds: Int64, state: String? = "up", signal: Int64 = -60) -> VenueBox {
        var box = VenueBox(id, heard: WallTime(nanoseconds: 1_795_780_800_000_000_000 + seconds * 1_000_000_000))
        (box.state, box.signalDbm, box.linkIndicator) = (state, signal, 9)
        return box
    }

    @Test func changesAreToldAtOnceAndTheRestEachMinute() {
        var digest = VenueDigest()
        digest.take(Self.box("b", 1))
        digest.take(Self.box("a", 2))
        #expect(digest.due(at: Self.at(5)).map(\.box) == ["a", "b"])
        // It stays due until the region has it.
        #expect(digest.due(at: Self.at(6)).map(\.box) == ["a", "b"])
        digest.told(digest.due(at: Self.at(6)), at: Self.at(6))
        #expect(digest.due(at: Self.at(7)).isEmpty)
        digest.take(Self.box("a", 12, signal: -70))
        digest.take(Self.box("b", 11, state: "down"))
        #expect(digest.due(at: Self.at(15)).map(\.box) == ["b"])
        digest.told(digest.due(at: Self.at(15)), at: Self.at(16))
        #expect(digest.due(at: Self.at(65)).isEmpty && digest.due(at: Self.at(66)).map(\.box) == ["a"])
        // Of a box that is not heard any more nothing is told again.
        digest.told(digest.due(at: Self.at(66)), at: Self.at(66))
        #expect(digest.due(at: Self.at(1_000)).isEmpty)
    }

    @Test func aBoxThatChangesMeanwhileIsToldAgain() {
        var digest = VenueDigest()
        digest.take(Self.box("a", 1))
        let told = digest.due(at: Self.at(1))
        digest.take(Self.box("a", 11, state: "down"))
        digest.told(told, at: Self.at(12))
        #expect(digest.due(at: Self.at(12)).map(\.state) == ["down"])
        #expect(!digest.take(Self.box("a", 11, state: "up")) && !digest.take(Self.box("a", 3, state: "up")))
        #expect(digest.due(at: Self.at(12)).map(\.state) == ["down"])
    }

    @Test func statesAreCounted() {
        var digest = VenueDigest()
        for number in 0..<100 { digest.take(Self.box("b-\(number)", 1, state: "state \(number)")) }
        digest.take(Self.box("c", 1, state: nil))
        let states = digest.states
        #expect(states.count == VenueReport.mostStates && states.reduce(0) { $0 + $1.boxes } == 101)
        #expect(states.last == .init("other", 38))
        #expect(VenueDigest().states.isEmpty && digest.boxCount == 101)
    }
}
