// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import FeatureTesting
import Hosting
import JSON
import Journal
import LineUp
import Settings
import Shapes
import Statistics
import System
import TestSupport
import Testing
import Venue

@testable import DataChannels

/// The feature without messages; `BoxTests/DataCommandTests` has messages.
@Suite struct DataChannelsTests {
    private final class Heard {
        var events: [String] = []
    }

    private let heard = Heard()
    private let statistics = StatisticRegistry()

    private func makeHost() throws -> FeatureHost { try makeHostAndContext().0 }

    private func makeHostAndContext() throws -> (FeatureHost, FeatureContext) {
        let document: JSONValue = [
            "network": ["interface": "lo"],
            "channels": [
                ["name": "Scores", "kind": "data", "address": "239.255.77.51", "port": 21_251, "payloadType": 98],
                ["name": "Pitch", "address": "239.255.77.52", "port": 21_251],
            ],
        ]
        var context = try FeatureContext.testing(settings: document, statistics: statistics) { [heard] name, payload in
            heard.events.append("\(name) \(payload.text())")
        }
        let settings = context.settings.running.settings
        context.provide(LineUpView(LineUp(settings: LineUpSettings(settings))))
        context.provide(
            DataChannels.Commands(
                catalogue: Catalogue([]), dispatch: { _, answer in answer(.success([:])) },
                takeSigned: { _, _ in nil }, followed: { _ in }))
        return (try FeatureHost([DataChannels.self], context), context)
    }

    private func list(_ host: FeatureHost, _ arguments: JSONValue = [:]) throws -> [JSONValue] {
        var answered = Result<JSONValue, Status>.success(.null)
        let request = try CommandRequest(CommandDescription(ListDataChannels.self), arguments: arguments)
        let isHandled = host.handle(request) { answered = $0 }
        #expect(isHandled)
        let answer = try answered.get()
        #expect(DataChannelList.kind.problems(of: answer).isEmpty)
        return answer["channels"]?.array ?? []
    }

    @Test func listsWhatIsNotReceived() throws {
        let host = try makeHost()
        host.start()
        let row: JSONValue = [
            "number": 901, "name": "Scores", "contentType": .null, "isJoined": false, "observers": 0,
            "id": "settings:Scores",
        ]
        let rows = try list(host)
        #expect(rows == [row], "\(rows)")
        let refusal = thrown(Status.self) { try list(host, ["action": "list", "channel": "Pitch"]) }
        #expect(
            refusal?.errorString
                == "data channel 'Pitch' is not in the line-up: expected one of Scores")
        host.stop()
        #expect(heard.events.isEmpty && statistics.groups.isEmpty)
    }

    /// SVM-44: a channel is received while somebody follows it.
    @Test(.enabled(if: Groups.canBeJoined)) func followersShareAFeed() throws {
        let host = try makeHost()
        host.start()
        let data = host[DataChannels.self]
        let (first, second) = (try data.follow("Scores").get(), try data.follow("Scores").get())
        #expect(first === second && data.memberships.count == 1)
        let row = try #require(try list(host, ["channel": "Scores"]).first)
        #expect(row["isJoined"] == true && row["messages"] == 0 && row["overflows"] == 0)
        #expect(row["sinceLastMessageMs"] == .null && row["observers"] == 1)
        data.leave(first)
        #expect(data.memberships.count == 1)
        data.leave(second)
        #expect(data.memberships.isEmpty)
        let payload = #"{"channel":"Scores","id":"settings:Scores"}"#
        #expect(heard.events == ["data.joined \(payload)", "data.left \(payload)"])
        host.stop()
    }

    /// Each feed holds messages.
    @Test func feedsAreLimited() throws {
        let host = try makeHost()
        let data = host[DataChannels.self]
        for number in 0..<32 { _ = try data.follow("Later \(number)").get() }
        #expect(thrown(Status.self) { try data.follow("One more").get() }?.code == .busy)
        let feed = try data.follow("Later 7").get()
        data.leave(feed)
        #expect(thrown(Status.self) { try data.follow("One more").get() }?.code == .busy)
        data.leave(feed)
        #expect(throws: Never.self) { _ = try data.follow("One more").get() }
        host.stop()
    }

    /// SVM-12: a channel that stays wanted by another consumer is not left.
    @Test(.enabled(if: Groups.canBeJoined)) func consumersChange() throws {
        let (host, context) = try makeHostAndContext()
        host.start()
        func use(_ consumers: JSONValue) throws {
            var outcome: Result<SettingsOutcome, SettingsFailure>?
            context.settings.change(.merge(["data": ["consumers": consumers]]), from: .localSocket) { outcome = $0 }
            _ = try #require(outcome).get()
        }
        try use([["channel": "Scores", "kind": "ticker"]])
        try use([["channel": "Scores", "kind": "cues"]])
        #expect(host[DataChannels.self].memberships.count == 1)
        try use([])
        #expect(host[DataChannels.self].memberships.isEmpty)
        #expect(heard.events.map { $0.prefix { $0 != " " } } == ["data.joined", "data.left"])
        host.stop()
    }
}
