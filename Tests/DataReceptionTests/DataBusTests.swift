// SPDX-License-Identifier: Apache-2.0
import DataMessages
import Testing
import Time
import Venue

@testable import DataReception

@Suite struct DataBusTests {
    private var bus = DataBus<Int>()
    private var writer = MessageWriter()

    private mutating func send(_ text: String, type: String = "", of id: String) throws -> DataBus<Int>.Delivery? {
        var delivery: DataBus<Int>.Delivery?
        for payload in try writer.payloads(of: Array(text.utf8), contentType: type) {
            payload.withUnsafeBytes { bytes in
                delivery = bus.payloadReceived(
                    bytes, of: Channel.ID(id), source: 1, at: Monotonic(nanoseconds: Int64(writer.nextSequence)))
            }
        }
        return delivery
    }

    @Test mutating func goesToAllObserversOfTheChannelAndToNoOther() throws {
        _ = bus.lineUpChanged([Listing.entry("s/1", "A"), Listing.entry("s/2", "B", port: 5_002)])
        _ = bus.add(1, to: .name("A"))
        _ = bus.add(2, to: .channel(Channel.ID("s/1")))
        _ = bus.add(3, to: .name("B"))
        let delivery = try #require(try send("hello", of: "s/1"))
        #expect(delivery.observers == [1, 2] && delivery.channel.name == "A")
        #expect(delivery.message.octets == Array("hello".utf8))
        #expect(bus.counters(of: Channel.ID("s/1"))?.messages == 1)
        #expect(bus.counters(of: Channel.ID("s/2"))?.messages == 0)
        #expect(bus.lastArrival(of: Channel.ID("s/1"))?.nanoseconds == 1)
    }

    @Test mutating func nothingComesOfAChannelThatWasLeft() throws {
        _ = bus.lineUpChanged([Listing.entry("s/1", "A")])
        _ = bus.add(1, to: .name("A"))
        #expect(try send("one", of: "s/1") != nil)
        _ = bus.remove(1)
        #expect(try send("two", of: "s/1") == nil)
        #expect(bus.counters(of: Channel.ID("s/1")) == nil && bus.counters.messages == 1)
    }

    @Test mutating func whatWasHeardBeforeAMoveIsNotHeardAgain() throws {
        _ = bus.lineUpChanged([Listing.entry("s/1", "A")])
        _ = bus.add(1, to: .name("A"))
        #expect(try send("one", of: "s/1") != nil)
        #expect(bus.lineUpChanged([Listing.entry("s/1", "A", port: 6_000)]).count == 2)
        writer = MessageWriter()
        #expect(try send("one", of: "s/1") == nil)
        #expect(bus.counters(of: Channel.ID("s/1"))?.duplicates == 1)
    }

    @Test mutating func theMessagesTypePrevailsOverTheChannels() throws {
        var entry = Listing.entry("s/1", "A")
        var channel = Listing.channel("s/1", "A")
        channel.contentType = "text/plain"
        entry.content = .channel(channel)
        _ = bus.lineUpChanged([entry])
        _ = bus.add(1, to: .name("A"))
        #expect(try send("a", of: "s/1")?.contentType == "text/plain")
        #expect(try send("a", type: "a/b", of: "s/1")?.contentType == "a/b")
    }
}
