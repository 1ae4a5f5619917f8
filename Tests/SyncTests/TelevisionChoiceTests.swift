// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Discovery
import Testing
import Time
import Venue

@testable import Sync

@Suite struct TelevisionChoiceTests {
    private static let start = Monotonic(nanoseconds: 5_000_000_000)

    private var choice = TelevisionChoice()

    private static func television(_ name: String, _ url: String? = "ws://192.0.2.7/cii") -> Television {
        Television(
            uniqueName: "uuid:\(name)", name: name, address: NumericAddress(v4: 0xc000_0207),
            services: CompanionApplication(contentInformation: url.flatMap { WebSocketURL($0) }))
    }

    private mutating func look(_ fits: Bool, after seconds: Int64) -> String? {
        choice.looked(fits: fits, at: Self.start + .seconds(seconds))
        return choice.chosen?.name
    }

    /// The one that is followed stays so, whatever else comes; when it goes, the first by name has its turn.
    @Test mutating func theOneThatIsThereStays() {
        #expect(choice.chosen == nil && choice.all.isEmpty)
        choice.found(Self.television("b"))
        choice.found(Self.television("a"))
        choice.found(Self.television("c"))
        #expect(choice.chosen?.name == "b" && choice.all.map(\.name) == ["a", "b", "c"])
        choice.lost(Self.television("c"))
        #expect(choice.chosen?.name == "b")
        choice.lost(Self.television("b"))
        #expect(choice.chosen?.name == "a")
        choice.lost(Self.television("a"))
        #expect(choice.chosen == nil && choice.all.isEmpty)
    }

    @Test mutating func aTelevisionWithoutTheServiceIsNotFollowed() {
        choice.found(Self.television("a", nil))
        #expect(choice.chosen == nil && choice.all.isEmpty)
        choice.found(Self.television("a"))
        choice.found(Self.television("a", "ws://192.0.2.7/other"))
        #expect(choice.chosen?.services.contentInformation?.description == "ws://192.0.2.7/other")
        choice.found(Self.television("a", nil))
        #expect(choice.chosen == nil)
    }

    @Test mutating func otherContentIsLeftAfterAWhile() {
        for name in ["a", "b"] { choice.found(Self.television(name)) }
        #expect(look(false, after: 0) == "a")
        #expect(look(false, after: 4) == "a")
        // It was only a moment.
        #expect(look(true, after: 5) == "a")
        #expect(look(false, after: 6) == "a")
        #expect(look(false, after: 11) == "b")
        // The next has as much time, and then it is the first one's turn again.
        #expect(look(false, after: 12) == "b")
        #expect(look(false, after: 17) == "a")
        choice.lost(Self.television("b"))
        #expect(look(false, after: 18) == "a")
        #expect(look(false, after: 30) == "a")
    }
}
