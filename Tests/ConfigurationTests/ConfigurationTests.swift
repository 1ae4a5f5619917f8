// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import Shapes
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Configuration

/// SVM-12, SVM-18, SVM-19, SVM-20, SVM-22 by the commands.
@Suite final class ConfigurationTests {
    private var events: [(name: String, payload: JSONValue)] = []
    private let archive = MemoryArchive()
    private var hasNetwork = true
    private var hasPicture = true
    private var reachesGateway = false
    private var announcements: UInt64 = 0
    private var serverAnswers: UInt64?
    private var restarts = 0

    private func makeHost(
        _ document: JSONValue = [:], refusals: [SettingsRefusal] = []
    ) throws -> FeatureHost {
        var context = try FeatureContext.testing(of: Configuration.self, settings: document, archive: archive) {
            [unowned self] in
            events.append(($0, $1))
        }
        context.provide(refusals)
        var sources = Configuration.Sources(
            hasNetwork: { [unowned self] in hasNetwork }, announcements: { [unowned self] in announcements },
            hasPicture: { [unowned self] in hasPicture },
            reachesGateway: { [unowned self] in reachesGateway }, restart: { [unowned self] in restarts += 1 })
        sources.serverAnswers = { [unowned self] in serverAnswers }
        context.provide(sources)
        return try FeatureHost([Configuration.self], context)
    }

    private func answer(
        _ host: FeatureHost, _ name: String, _ arguments: JSONValue = [:], from origin: Origin = .localSocket
    ) throws -> Result<JSONValue, Status> {
        let catalogue = Catalogue(FeatureDeclarations([Configuration.self]).commands)
        var request = try CommandRequest(command: name, arguments: arguments, in: catalogue)
        request.caller = Caller(origin, role: .administrator)
        var answered: Result<JSONValue, Status>?
        #expect(host.handle(request) { answered = $0 })
        if case .success(let value) = answered {
            let kind = try #require(catalogue[name]).answer.kind
            #expect(kind.problems(of: value).isEmpty, "\(name): \(kind.problems(of: value))")
        }
        return try #require(answered)
    }

    @Test func aSettingIsChangedAndTold() throws {
        let host = try makeHost()
        let report = try answer(host, "config-set", ["path": "log.level", "value": "debug"]).get()
        #expect(
            report == ["revision": 2, "changes": [["path": "/log/level", "effect": "atOnce"]]], "confirmed at once")
        #expect(events.map(\.name) == ["service.settingsChanged"])
        #expect(events[0].payload == ["revision": 2, "author": "localSocket", "paths": ["/log/level"]])
        #expect(try answer(host, "config", ["path": "log.level"]).get()["config"] == "debug")
        _ = try answer(host, "config-reset", ["path": "log"]).get()
        #expect(try answer(host, "config", ["path": "/log/level"]).get()["config"] == "info")
    }

    @Test func aCheckChangesNothing() throws {
        let host = try makeHost(["log": ["level": "error"]])
        let report = try answer(host, "config-check", ["settings": ["log": ["level": "debug"]]]).get()
        #expect(report["changes"] == [["path": "/log/level", "effect": "atOnce"]] && report["revision"] == 1)
        _ = try answer(host, "config-set", ["path": "log.level", "value": "debug", "check": true]).get()
        #expect(archive.kept == nil && events.isEmpty)
        guard case .failure(let status) = try answer(host, "config-check", ["settings": ["a": 1, "box": 7]]) else {
            Issue.record("a bad document passes")
            return
        }
        #expect(status.errorString.contains("/a is no field") && status.errorString.contains("/box is 7"))
    }

    @Test func mergeAndReplace() throws {
        let host = try makeHost(["log": ["level": "error"], "box": ["name": "A"]])
        _ = try answer(host, "config-merge", ["settings": ["log": .null]]).get()
        #expect(archive.kept?.document == ["box": ["name": "A"]])
        _ = try answer(host, "config-replace", ["settings": ["box": ["tags": ["bar"]]]]).get()
        #expect(archive.kept?.document == ["box": ["tags": ["bar"]]])
    }

    @Test func aSettingIsExplained() throws {
        let host = try makeHost(["sound": ["volume": 30]])
        let explained = try answer(host, "config-explain", ["path": "sound.volume"]).get()
        #expect(explained["value"] == 30 && explained["source"] == "revision" && explained["default"] == 100)
        #expect(explained["expected"] == "an integer, 0...100" && explained["awaitsRestart"] == false)
    }

    /// What a change interrupts, and who may make it, is said of the group or list that holds a setting.
    @Test func anExplanationSaysWhatHoldsForTheWholeGroup() throws {
        let host = try makeHost(["channels": [["name": "One", "address": "239.1.1.1", "port": 5_004]]])
        func explain(_ path: String) throws -> JSONValue {
            try answer(host, "config-explain", ["path": .string(path)]).get()
        }
        let socket = try explain("control.socket")
        #expect(socket["isLocalOnly"] == true && socket["change"] == "needsRestart")
        let port = try explain("channels.One.port")
        #expect(port["isLocalOnly"] == false && port["change"] == "interruptsPicture")
        #expect(try explain("sound")["change"] == nil)
    }

    /// Until there are signatures, HTTP may not redirect the box.
    @Test(arguments: [("sound.wavPath", "/tmp/x.wav"), ("control.socket", "/tmp/x")])
    func someSettingsAreChangedByTheLocalSocketOnly(path: String, value: String) throws {
        let host = try makeHost()
        let arguments: JSONValue = ["path": .string(path), "value": .string(value)]
        guard case .failure(let status) = try answer(host, "config-set", arguments, from: .http) else {
            Issue.record("\(path) is taken from HTTP")
            return
        }
        #expect(status.errorString.contains("by the local control socket only"))
        _ = try answer(host, "config-set", arguments).get()
    }

    @Test func whatWasRefusedAtTheStartIsTold() throws {
        let host = try makeHost(refusals: [SettingsRefusal(source: "/etc/x", why: "bad")])
        host.start()
        #expect(events.map(\.name) == ["service.settingsRefused"])
        #expect(events.first?.payload == ["source": "/etc/x", "why": "bad"])
    }

    /// Documents that are damaged or not: each is in force whole, or nothing has changed (SVM-12).
    @Test func anyDocumentIsTakenWholeOrNotAtAll() throws {
        let host = try makeHost()
        let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../config/examples/complete.json").standardizedFileURL
        let text = Array(try Data(contentsOf: example))
        var mutation = Mutation(seed: 31)
        var taken = 0
        for _ in 0..<Mutation.count(usual: 1_000) {
            guard let document = try? JSONValue.parse(mutation.damage(text)) else { continue }  // no document at all
            let before = try answer(host, "config").get()
            switch try answer(host, "config-replace", ["settings": document]) {
            case .success:
                taken += 1
                #expect(archive.kept?.document == ([:] as JSONValue).merging(patch: document))
            case .failure(let status):
                #expect(status.code == .configuration && !status.errorString.isEmpty)
                #expect(try answer(host, "config").get() == before)
            }
        }
        #expect(taken > 3, "no document was valid")
    }

    // MARK: Changes that have to prove themselves

    private static let other: JSONValue = ["path": "output.height", "value": 1_080]

    private func tick(_ host: FeatureHost, from first: Int64, to last: Int64) {
        for second in first...last { host.tick(at: SystemClock.monotonic() + Nanoseconds.seconds(second)) }
    }

    /// SVM-21: what worked before works with the change.
    @Test func aChangeIsConfirmedByWhatWorks() throws {
        let host = try makeHost()
        let report = try answer(host, "config-set", Self.other).get()
        let confirmation: JSONValue = [
            "returnTo": 1, "withinS": 60, "expected": ["network", "picture"], "awaitsRestart": false,
        ]
        #expect(report["confirmation"] == confirmation)
        #expect(try answer(host, "config-history").get().at("/revisions/0/state") == "unconfirmed")
        hasPicture = false
        tick(host, from: 0, to: 9)
        hasPicture = true
        tick(host, from: 10, to: 16)
        #expect(events.map(\.name) == ["service.settingsChanged", "service.settingsConfirmed"])
        #expect(archive.kept?.unconfirmed == nil)
        #expect(try answer(host, "config-history").get().at("/revisions/0/state") == "inForce")
    }

    @Test func aChangeThatCostsThePictureIsTakenBack() throws {
        let host = try makeHost()
        _ = try answer(host, "config-set", Self.other).get()
        hasPicture = false
        tick(host, from: 0, to: 61)
        #expect(
            events.map(\.name) == [
                "service.settingsChanged", "service.settingsChanged", "service.settingsTakenBack",
            ])
        #expect(events.last?.payload == ["revision": 2, "why": "no picture within 60 s"])
        #expect(try answer(host, "config", ["path": "output.height"]).get()["config"] == 720)
        #expect(archive.kept?.number == 3 && archive.kept?.unconfirmed == nil && restarts == 0)
        let states = try answer(host, "config-history").get()["revisions"]?.array?.map { $0["state"] }
        #expect(states == ["inForce", "neverConfirmed", "kept"])
    }

    /// A wrong address costs the router, even where pictures still come.
    @Test func aChangeThatCostsTheRouterIsTakenBack() throws {
        let host = try makeHost()
        reachesGateway = true
        let report = try answer(host, "config-set", Self.other).get()
        #expect(report.at("/confirmation/expected") == ["gateway", "network", "picture"])
        reachesGateway = false
        tick(host, from: 0, to: 61)
        #expect(events.last?.payload == ["revision": 2, "why": "no answer of the router within 60 s"])
    }

    /// An announcement from before the change proves nothing.
    @Test func announcementsHaveToComeWithTheChange() throws {
        let host = try makeHost()
        announcements = 7
        tick(host, from: 0, to: 0)
        let report = try answer(host, "config-set", Self.other).get()
        #expect(report.at("/confirmation/expected") == ["announcements", "network", "picture"])
        tick(host, from: 1, to: 62)
        #expect(events.last?.payload["why"] == "no announcement within 60 s")
    }

    /// Nor does an answer of the server; where the change takes the server away, there is none to miss.
    @Test func theServerHasToAnswerAfterTheChange() throws {
        for (answers, taken) in [(3, true), (4, false), (nil, false)] as [(UInt64?, Bool)] {
            events = []
            let host = try makeHost()
            serverAnswers = 3
            tick(host, from: 0, to: 0)
            let report = try answer(host, "config-set", Self.other).get()
            #expect(report.at("/confirmation/expected") == ["network", "picture", "server"])
            tick(host, from: 1, to: 2)
            serverAnswers = answers
            tick(host, from: 3, to: 70)
            #expect((events.last?.payload["why"] == "no answer of the server of orders within 60 s") == taken)
        }
    }

    @Test func anOperatorConfirmsOrTakesBackByHand() throws {
        let host = try makeHost()
        _ = try answer(host, "config-set", Self.other).get()
        _ = try answer(host, "config-confirm").get()
        #expect(events.last?.name == "service.settingsConfirmed")
        #expect(throws: Status.self) { try answer(host, "config-confirm").get() }
        _ = try answer(host, "config-set", ["path": "output.height", "value": 480]).get()
        _ = try answer(host, "config-rollback", ["comment": "it looked wrong"]).get()
        #expect(events.last?.payload["why"] == "it looked wrong")
        #expect(try answer(host, "config", ["path": "output.height"]).get()["config"] == 1_080)
    }

    @Test func anEarlierRevisionIsReturnedTo() throws {
        let host = try makeHost(["log": ["level": "error"]])
        _ = try answer(host, "config-set", ["path": "log.level", "value": "debug", "comment": "a search"]).get()
        _ = try answer(host, "config-rollback", ["revision": 1]).get()
        #expect(archive.kept?.document == ["log": ["level": "error"]] && archive.kept?.number == 3)
        #expect(archive.kept?.comment == "the settings of revision 1")
        #expect(try answer(host, "config-history").get().at("/revisions/1/comment") == "a search")
        guard case .failure(let status) = try answer(host, "config-rollback", ["revision": 9]) else {
            Issue.record("a revision that is not there is returned to")
            return
        }
        #expect(status.errorString == "revision 9 is not kept; expected one of 3, 2, 1")
    }

    @Test func revisionsAreCompared() throws {
        let host = try makeHost(["sound": ["volume": 30]])
        _ = try answer(host, "config-set", ["path": "sound.volume", "value": 40]).get()
        let difference = try answer(host, "config-diff", ["from": 1]).get()
        #expect(difference == ["differences": [["path": "/sound/volume", "from": 30, "to": 40]]])
        let whole = try answer(host, "config-diff", ["from": 0, "to": 1]).get()
        #expect(whole == ["differences": [["path": "/sound/volume", "from": 100, "to": 30]]])
    }

    @Test func theSecondOfTwoWritersIsTold() throws {
        let host = try makeHost()
        _ = try answer(host, "config-set", ["path": "sound.volume", "value": 40, "base": 1], from: .http).get()
        guard
            case .failure(let status) = try answer(
                host, "config-merge", ["settings": ["sound": ["volume": 50]], "base": 1])
        else {
            Issue.record("the second is not told")
            return
        }
        #expect(
            status.errorString
                == "revision 2 by http is in force, and the change was made for revision 1; read the settings again")
    }
}
