// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Presentation
import Scene
import Statistics
import System
import Testing
import Venue

@testable import Identify

@Suite final class IdentifyTests {
    private var written: [ScreenMessage] = []
    private let statistics = StatisticRegistry()
    private let identity: BoxIdentity
    private let host: FeatureHost
    private let settings: SettingsStore

    init() throws {
        var context = try FeatureContext.testing(
            of: Identify.self, settings: ["box": ["name": "Bar"]], statistics: statistics)
        identity = try BoxIdentity.load(from: "/tmp/touchline-identify-\(BoxIdentity.random())")
        context.provide(identity)
        let screen = Screen()
        context.provide(
            ScreenTextWriter { input in
                if case .message(let message?, _) = input { screen.suite?.written.append(message) }
                return true
            })
        settings = context.settings
        host = try FeatureHost([Identify.self], context)
        screen.suite = self
        host.start()
    }

    private final class Screen {
        weak var suite: IdentifyTests?
    }

    private func identify(_ arguments: JSONValue = [:]) throws -> JSONValue {
        var answered: Result<JSONValue, Status>?
        let request = try CommandRequest(CommandDescription(ShowIdentity.self), arguments: arguments)
        #expect(host.handle(request) { answered = $0 })
        return try #require(answered).get()
    }

    private func merge(_ patch: JSONValue) throws -> Result<SettingsOutcome, SettingsFailure> {
        var result: Result<SettingsOutcome, SettingsFailure>?
        settings.change(.merge(patch), from: .http) { result = $0 }
        return try #require(result)
    }

    private func setColour(_ colour: String) throws -> Result<SettingsOutcome, SettingsFailure> {
        try merge(["identify": ["colour": .string(colour)]])
    }

    @Test func showsNameAndIdLarge() throws {
        #expect(try identify() == ["name": "Bar", "id": .string(identity.id)])
        #expect(written.map(\.text) == ["Bar\n\(identity.id)"] && written[0].isLarge)
        #expect(written[0].background == RGBColour(red: 0, green: 82, blue: 165))
        #expect(statistics.snapshot().group("identify")?["shown"]?.json == 1)
    }

    @Test func theColourChangesWhileItIsShown() throws {
        _ = try identify()
        #expect(try setColour("#00ff0a").get().changes == [SettingChange("/identify/colour", .atOnce)])
        #expect(written.map(\.background).last == RGBColour(red: 0, green: 255, blue: 10))
        #expect(written.count == 2 && statistics.snapshot().group("identify")?["shown"]?.json == 1)
    }

    @Test func theNameChangesWhileItIsShown() throws {
        _ = try merge(["box": ["name": "Bar 1"]]).get()
        #expect(written.isEmpty)
        _ = try identify()
        _ = try merge(["box": ["name": "Bar 2"]]).get()
        #expect(written.map(\.text) == ["Bar 1\n\(identity.id)", "Bar 2\n\(identity.id)"])
    }

    @Test(arguments: ["red", "#12345", "#1234567", "#+12345", "#12345g", ""])
    func whatIsNoColourIsRefused(text: String) throws {
        guard case .failure(let failure) = try setColour(text) else {
            Issue.record("\(text) is taken")
            return
        }
        #expect(failure.description.contains("/identify/colour") && failure.description.contains("a colour like"))
    }
}
