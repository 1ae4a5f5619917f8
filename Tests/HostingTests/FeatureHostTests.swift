// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import JSON
import Journal
import Shapes
import Statistics
import System
import TestSupport
import Testing
import Venue

@testable import Hosting

private struct Rung: FeatureEvent {
    let times: Int

    static let about = EventAbout(.service, "rung", "The bell was rung.")
    static let shape = Shape<Self>([.value("times", \.times, .count, "how often so far")])
}

private struct Ring: Command {
    var times = 1

    static let about = About("ring", "Ring the bell", role: .operator, example: "--times 2")
    static let shape = Shape<Self>([.option("times", \.times, .integer(1...9), "How often.")])

    func run(on bell: Bell) throws(Status) -> Done {
        guard bell.isWhole else { throw .failure(.failed, "the bell is broken") }
        bell.ring(times)
        return Done()
    }
}

/// Its answer comes when somebody listens.
private struct Listen: DeferredCommand {
    static let about = About("listen", "Wait for the bell")
    static let shape = Shape<Self>()

    func run(on bell: Bell, _ reply: Reply<Rung>) { bell.listeners.append(reply) }
}

private final class Bell: Feature {
    static let summary = "A feature of the tests."
    static var commands: [Handler<Bell>] { [Handler(Ring.self), Handler(Listen.self)] }
    static var events: [EventDescription] { [EventDescription(Rung.self)] }

    let context: FeatureContext
    let isWhole: Bool
    var listeners: [Reply<Rung>] = []
    private var count = 0

    init(_ context: FeatureContext) throws(Status) {
        self.context = context
        isWhole = context.provided(Bool.self)
    }

    func ring(_ times: Int) {
        count += times
        context.emit(Rung(times: count))
        for reply in listeners { reply(.success(Rung(times: count))) }
        listeners = []
    }

    func stop() { listeners = [] }
}

private final class Refusing: Feature {
    static let summary = "A feature of the tests."
    init(_ context: FeatureContext) throws(Status) { throw .failure(.busy, "no bell tower") }
}

@Suite struct FeatureHostTests {
    private final class Heard {
        var events: [JSONValue] = []
    }

    private let heard = Heard()

    private func makeHost(isWhole: Bool = true, _ types: [any Feature.Type] = [Bell.self]) throws -> FeatureHost {
        var context = try FeatureContext.testing { [heard] _, payload in heard.events.append(payload) }
        context.provide(isWhole)
        return try FeatureHost(types, context)
    }

    private func request(_ name: String, _ arguments: JSONValue = [:]) throws -> CommandRequest {
        let catalogue = Catalogue(FeatureDeclarations([Bell.self]).commands)
        return try CommandRequest(command: name, arguments: arguments, in: catalogue)
    }

    @Test func aCommandRunsOnItsFeature() throws {
        let host = try makeHost()
        var answers: [Result<JSONValue, Status>] = []
        #expect(host.handle(try request("ring", ["times": 3])) { answers.append($0) })
        #expect(answers == [.success([:])] && heard.events == [["times": 3]])
        #expect(host.handle(try request("ring")) { answers.append($0) })
        #expect(heard.events == [["times": 3], ["times": 4]])
    }

    @Test func aRefusalIsAnswered() throws {
        var answers: [Result<JSONValue, Status>] = []
        _ = try makeHost(isWhole: false).handle(try request("ring")) { answers.append($0) }
        #expect(answers == [.failure(.failure(.failed, "the bell is broken"))])
    }

    @Test func anAnswerMayComeLater() throws {
        let host = try makeHost()
        var answers: [Result<JSONValue, Status>] = []
        #expect(host.handle(try request("listen")) { answers.append($0) } && answers.isEmpty)
        host[Bell.self].ring(2)
        #expect(answers == [.success(["times": 2])])
    }

    /// No client waits for ever.
    @Test func anAnswerThatIsDroppedSaysSo() throws {
        let host = try makeHost()
        var answers: [Result<JSONValue, Status>] = []
        _ = host.handle(try request("listen")) { answers.append($0) }
        host.stop()
        #expect(answers == [.failure(.failure(.failed, "the answer was lost"))])
    }

    @Test func aFeatureThatCannotBeMadeEndsTheList() {
        let refusal = thrown(Status.self) { try makeHost([Bell.self, Refusing.self]) }
        #expect(refusal?.code == .busy)
    }

    @Test func declarationsNeedNoFeature() {
        let declared = FeatureDeclarations([Bell.self])
        #expect(declared.commands.map(\.name) == ["ring", "listen"] && declared.commands[0].role == .operator)
        #expect(declared.commands[0].example == "--times 2" && declared.commands[0].answer.form == .nothing)
        #expect(declared.events.map(\.type) == ["service.rung"])
    }
}
