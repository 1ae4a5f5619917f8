// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Journal
import Statistics
import System
import Testing
import Venue

@testable import Logging

struct LoggingTests {
    private let journal = Journal(levels: Journal.Levels(level: .info, subsystems: ["stage": .error]))

    private func answer(_ arguments: JSONValue) throws -> JSONValue {
        let context = FeatureContext(
            loop: try EventLoop(), journal: journal, statistics: StatisticRegistry(), append: { _, _, _ in })
        let host = try FeatureHost([Logging.self], context)
        var answered = JSONValue.null
        let request = try CommandRequest(CommandDescription(SetLogLevel.self), arguments: arguments)
        let isHandled = host.handle(request) { if case .success(let answer) = $0 { answered = answer } }
        #expect(isHandled)
        return answered
    }

    /// SVM-08: the level of all, or of one subsystem.
    @Test func setsWhatIsNamed() throws {
        #expect(try answer(["level": "debug"]) == ["level": "debug", "subsystems": ["stage": "error"]])
        #expect(
            try answer(["level": "notice", "subsystem": "data"])
                == ["level": "debug", "subsystems": ["stage": "error", "data": "notice"]])
        #expect(journal.levels.subsystems["data"] == .notice)
    }

    @Test func needsAnAdministrator() {
        #expect(CommandDescription(SetLogLevel.self).role == .administrator)
        #expect(throws: CommandError.self) {
            try CommandRequest(CommandDescription(SetLogLevel.self), arguments: ["level": "trace"])
        }
    }
}
