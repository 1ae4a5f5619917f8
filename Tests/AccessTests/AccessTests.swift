// SPDX-License-Identifier: Apache-2.0
import Auditing
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import Presentation
import Statistics
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Access
@testable import Credentials

/// The feature alone: tokens, the claim, the audit (G-47).
@Suite final class AccessTests {
    private static let address = "10.0.0.7"

    private var events: [(name: String, payload: JSONValue)] = []
    private let statistics = StatisticRegistry()
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-access-\(UUID())").path
    private var now = Monotonic(nanoseconds: 3_600_000_000_000)
    private var isReachable = false
    private var isClockSet = true
    private var changes = 0
    private var fingerprint: String?
    private var written: [ScreenText.Input] = []
    private let notice = ClaimNotice()
    private var loop: EventLoop?

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func makeHost(_ settings: JSONValue = [:]) throws -> FeatureHost {
        var context = try FeatureContext.testing(of: Access.self, settings: settings, statistics: statistics) {
            [unowned self] in events.append(($0, $1))
        }
        context.provide(notice)
        context.provide(
            ScreenTextWriter { [unowned self] command in
                written.append(command)
                return true
            })
        var sources = Access.Sources(
            directory: directory, wall: { WallTime(nanoseconds: 1_790_000_000_000_000_000) },
            isClockSet: { [unowned self] in isClockSet }, fingerprint: { [unowned self] in fingerprint },
            isReachable: { [unowned self] in isReachable }, httpRole: { .operator },
            changed: { [unowned self] in changes += 1 })
        sources.monotonic = { [unowned self] in now }
        context.provide(sources)
        loop = context.loop
        let host = try FeatureHost([Access.self], context)
        host.start()
        host.tick(at: now)
        return host
    }

    private func answer(
        _ host: FeatureHost, _ name: String, _ arguments: JSONValue = [:], by caller: Caller = .service
    ) throws -> JSONValue {
        let catalogue = Catalogue(FeatureDeclarations([Access.self]).commands)
        var request = try CommandRequest(command: name, arguments: arguments, in: catalogue)
        request.caller = caller
        var answered: Result<JSONValue, Status>?
        let loop = try #require(loop)
        #expect(
            host.handle(request) {
                answered = $0
                loop.stop()
            })
        while answered == nil { try loop.run() }
        switch try #require(answered) {
        case .success(let value):
            let kind = try #require(catalogue[name]).answer.kind
            #expect(kind.problems(of: value).isEmpty, "\(name): \(kind.problems(of: value))")
            return value
        case .failure(let status): return ["error": .string(status.errorString)]
        }
    }

    private func role(_ host: FeatureHost, _ token: String) -> Role? {
        let wall = WallTime(nanoseconds: 1_790_000_000_000_000_000)
        return try? host[Access.self].gate.caller(.token(token), from: Self.address, by: .http, at: now, wall: wall)
            .get().role
    }

    private var kept: String { (try? String(contentsOfFile: directory + "/access.json", encoding: .utf8)) ?? "" }

    @Test func aTokenIsMadeListedAndRevoked() throws {
        let host = try makeHost()
        let made = try answer(host, "token-create", ["name": "tablet", "role": "operator"])
        let token = try #require(made["token"]?.string)
        #expect(made["role"] == "operator" && made["expires"] == nil && role(host, token) == .operator)
        #expect(!kept.contains(token.dropFirst(3)) && kept.contains("tablet"))
        #expect(try answer(host, "token-list").at("/tokens/0/name") == "tablet")
        #expect(try answer(host, "token-list").text().contains(token.dropFirst(3)) == false)
        #expect(try answer(host, "token-create", ["name": "tablet"])["error"]?.string?.contains("another name") == true)
        #expect(try answer(host, "token-revoke", ["name": "tablet"]) == [:])
        #expect(role(host, token) == nil && changes >= 2)
        #expect(events.map(\.name) == ["service.tokenCreated", "service.tokenRevoked"])
        #expect(!events.contains { $0.payload.text().contains(token.dropFirst(3)) })
        host.stop()
    }

    @Test func tokensOutliveTheService() throws {
        var host = try makeHost()
        let token = try #require(try answer(host, "token-create", ["name": "a", "days": 30])["token"]?.string)
        host.stop()
        host = try makeHost()
        #expect(role(host, token) == .viewer)
        #expect(try answer(host, "token-list").at("/tokens/0/expires")?.string?.hasPrefix("2026-10-2") == true)
        isClockSet = false
        #expect(try answer(host, "token-create", ["name": "b", "days": 1])["error"]?.string?.contains("clock") == true)
        host.stop()
    }

    @Test func aBoxIsClaimedOnceWithTheCodeOfItsScreen() throws {
        let host = try makeHost()
        #expect(try answer(host, "claim", ["code": "00000-00000"])["error"]?.string?.contains("claim-open") == true)
        fingerprint = "SHA-256 AB:CD"
        let opened = try answer(host, "claim-open")
        let code = try #require(opened["code"]?.string)
        #expect(opened["fingerprint"] == "SHA-256 AB:CD" && opened["seconds"] == 600)
        #expect(notice.lines == ["Claim this box with the code \(code)", "Certificate SHA-256 AB:CD"])
        #expect(written.count == 1)
        // At the box it is told again, and nowhere else.
        #expect(try answer(host, "access-status")["code"]?.string == code)
        let remote = Caller(.http, role: .administrator, name: "x", address: Self.address)
        #expect(try answer(host, "access-status", by: remote)["code"] == nil)
        #expect(try answer(host, "claim", ["code": "00000-00000"])["error"]?.string?.contains("4 more tries") == true)
        let claim: JSONValue = ["code": .string(code.lowercased()), "name": "anna"]
        let made = try answer(host, "claim", claim, by: Caller(.http, role: nil, address: Self.address))
        #expect(made["role"] == "administrator" && role(host, made["token"]?.string ?? "") == .administrator)
        #expect(notice.lines.isEmpty)
        #expect(try answer(host, "access-status")["claimedBy"] == "anna")
        for again in ["claim-open", "claim"] {
            let arguments: JSONValue = again == "claim" ? claim : [:]
            #expect(try answer(host, again, arguments)["error"]?.string?.contains("was claimed by \"anna\"") == true)
        }
        #expect(events.map(\.name) == ["service.claimOpened", "service.claimed"])
        #expect(events.last?.payload == ["name": "anna", "address": .string(Self.address)])
        #expect(!events.contains { $0.payload.text().contains(code) })
        host.stop()
    }

    @Test func fiveWrongCodesEndTheClaim() throws {
        let host = try makeHost()
        let code = try #require(try answer(host, "claim-open")["code"]?.string)
        for _ in 0..<5 { _ = try answer(host, "claim", ["code": "00000-00000"]) }
        #expect(try answer(host, "claim", ["code": .string(code)])["error"]?.string?.contains("claim-open") == true)
        #expect(notice.lines.isEmpty && kept.isEmpty)
        host.stop()
    }

    @Test func afterPowerOnTheCodeIsShownForTenMinutes() throws {
        (isReachable, now) = (true, Monotonic(nanoseconds: 60_000_000_000))
        var host = try makeHost()
        let last = notice.lines.first?.split(separator: " ").last
        let code = try #require(last)
        #expect(written.isEmpty, "it stands above no picture")
        now = Monotonic(nanoseconds: 599_000_000_000)
        host.tick(at: now)
        #expect(notice.lines.count == 1)
        now = Monotonic(nanoseconds: 600_000_000_000)
        host.tick(at: now)
        #expect(notice.lines.isEmpty)
        #expect(try answer(host, "claim", ["code": .string(String(code))])["error"] != nil)
        host.stop()
        // A service that starts again later opens nothing.
        host = try makeHost()
        #expect(notice.lines.isEmpty && events.count == 1)
        // Nor one that is claimed.
        _ = try answer(host, "claim", ["code": try answer(host, "claim-open")["code"] ?? .null])
        host.stop()
        now = Monotonic(nanoseconds: 60_000_000_000)
        host = try makeHost()
        #expect(notice.lines.isEmpty)
        host.stop()
    }

    /// A box that nobody reaches by HTTP shows no code.
    @Test func onLoopbackAloneNothingIsShown() throws {
        now = Monotonic(nanoseconds: 60_000_000_000)
        let host = try makeHost()
        #expect(notice.lines.isEmpty && events.isEmpty)
        host.stop()
    }

    @Test func aResetForgetsEverything() throws {
        let host = try makeHost()
        let made = try answer(host, "claim", ["code": try answer(host, "claim-open")["code"] ?? .null])
        #expect(try answer(host, "access-reset") == [:])
        #expect(role(host, made["token"]?.string ?? "") == nil)
        #expect(try answer(host, "access-status")["claim"] == "closed")
        #expect(try answer(host, "claim-open")["code"] != nil)
        host.stop()
    }

    private func told(_ text: String, _ host: FeatureHost) -> String {
        do throws(Status) {
            _ = try host[Access.self].logIn(text)
            return "let in"
        } catch {
            return error.errorString
        }
    }

    /// The code that the screen was given last.
    private var codeOnTheScreen: String? {
        guard case .message(let message?, _)? = written.last else { return nil }
        return message.text.split(separator: " ").first { $0.contains("-") && $0.count == 11 }.map(String.init)
    }

    @Test func whoHasLostTheTokensForgetsThemByACodeOfTheScreen() throws {
        let host = try makeHost()
        let token = try #require(try answer(host, "token-create", ["name": "a"])["token"]?.string)
        #expect(told("00000-00000", host).contains("token-create"), "no code was asked for")
        #expect(told("lost", host).contains("the screen shows a code"))
        let code = try #require(codeOnTheScreen)
        #expect(told("lost", host).contains("the screen shows a code") && codeOnTheScreen == code && written.count == 2)
        #expect(told("guess", host).contains("token-create"), "what has no form of a code costs no try")
        #expect(told("00000-00000", host).contains("4 more tries"))
        #expect(told(token, host) == "let in")
        #expect(told(code.lowercased(), host).contains("press Enter"))
        let loop = try #require(loop)
        for _ in 0..<500 where !host[Access.self].gate.credentials.tokens.isEmpty {
            _ = loop.after(.milliseconds(10)) { loop.stop() }
            try loop.run()
        }
        #expect(told(token, host).contains("token-create") && role(host, token) == nil)
        let audit = try answer(host, "audit").text()
        #expect(audit.contains("access-recovery") && !audit.contains(code))
        #expect(told(code, host).contains("token-create"), "a code counts once")
        host.stop()
    }

    /// Guesses are five in ten minutes, and the settings may allow none.
    @Test func codesAreNotGuessed() throws {
        var host = try makeHost()
        _ = told("lost", host)
        let code = try #require(codeOnTheScreen)
        for _ in 0..<5 { _ = told("00000-00000", host) }
        #expect(told(code, host).contains("token-create"))
        #expect(told("lost", host).contains("there is no other one for 601 s"))
        now = now + .seconds(601)
        #expect(told(code, host).contains("token-create") && told("lost", host).contains("the screen shows a code"))
        #expect(codeOnTheScreen != code)
        host.stop()
        host = try makeHost(["access": ["console": ["isRecoverable": false]]])
        #expect(told("lost", host).contains("token-create"))
        host.stop()
    }

    /// A damaged file lets nobody in and nobody claim; at the box it is replaced.
    @Test func aDamagedFileIsNoEmptyOne() throws {
        try DurableFile.makeDirectory(directory)
        try DurableFile.write(Array("{".utf8), to: directory + "/access.json")
        let host = try makeHost()
        for (name, arguments) in [("token-create", ["name": "a"]), ("claim-open", [:])] as [(String, JSONValue)] {
            #expect(try answer(host, name, arguments)["error"]?.string?.contains("access-reset") == true, "\(name)")
        }
        #expect(try answer(host, "access-status")["problem"]?.string?.contains("access.json") == true)
        _ = try answer(host, "access-reset")
        #expect(try answer(host, "token-create", ["name": "a"])["token"] != nil)
        #expect(try answer(host, "access-status")["problem"] == nil)
        host.stop()
    }

    /// What is not on the disk has not happened.
    @Test func aFullDiskMakesNoToken() throws {
        let host = try makeHost()
        try DurableFile.makeDirectory(directory + "/access.json.new")
        #expect(try answer(host, "token-create", ["name": "a"])["error"]?.string?.contains("not written") == true)
        #expect(try answer(host, "token-list")["tokens"] == [])
        try FileManager.default.removeItem(atPath: directory + "/access.json.new")
        #expect(try answer(host, "token-create", ["name": "a"])["token"] != nil)
        host.stop()
    }

    @Test func theAuditIsPagedAndOutlivesTheService() throws {
        var host = try makeHost()
        let access = host[Access.self]
        for index in 0..<120 {
            access.note(Act(Caller(.http, role: .administrator, name: "a"), "c\(index)", .done(revision: nil)))
        }
        let first = try answer(host, "audit", ["limit": 50])["entries"]?.array ?? []
        #expect(first.count == 50 && first.first?["command"] == "c119" && first.last?["command"] == "c70")
        let next =
            try answer(host, "audit", ["limit": 200, "before": first.last?["sequence"] ?? .null])["entries"]?.array
            ?? []
        #expect(next.count == 70 && next.first?["command"] == "c69")
        _ = access.gate.caller(
            .token("wrong"), from: Self.address, by: .http, at: now, wall: WallTime(nanoseconds: 0))
        host.stop()
        host = try makeHost()
        let again = try answer(host, "audit", ["limit": 200])["entries"]?.array ?? []
        #expect(again.count == 121)
        #expect(again.first?["command"] == "login" && again.first?["outcome"] == "refused")
        #expect(again.first?["address"]?.string == Self.address && !again.contains { $0.text().contains("wrong\"") })
        host.stop()
    }

    @Test func aSourceThatWaitsIsToldAndCounted() throws {
        let host = try makeHost(["access": ["lockout": ["tries": 3]]])
        for _ in 0..<10 { _ = role(host, "wrong") }
        host.tick(at: now)
        #expect(events.map(\.name) == ["service.lockedOut"] && events[0].payload["address"]?.string == Self.address)
        let figures = statistics.snapshot().group("access")?.json
        #expect(figures?["unknown"] == 3 && figures?["throttled"] == 7 && figures?["lockedOut"] == 1)
        host.stop()
    }
}
