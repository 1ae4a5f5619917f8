// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Journal
import Testing
import Venue

@testable import Logging

struct LoggingTests {
    private let journal = Journal(levels: Journal.Levels(level: .info, subsystems: ["stage": .error]))

    private func answer(_ arguments: JSONValue) throws -> JSONValue {
        _ = journal.log(for: "data")
        let host = try FeatureHost([Logging.self], FeatureContext.testing(journal: journal))
        var answered = JSONValue.null
        let request = try CommandRequest(CommandDescription(SetLogLevel.self), arguments: arguments)
        let isHandled = host.handle(request) { result in
            switch result {
            case .success(let answer): answered = answer
            case .failure(let status): answered = .string(status.errorString)
            }
        }
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

    /// A level of a name that nothing logs under would change nothing.
    @Test func refusesOtherNames() throws {
        let refusal = "subsystem 'dta' is not there: expected one of data"
        #expect(try answer(["level": "debug", "subsystem": "dta"]) == .string(refusal))
        #expect(journal.levels.subsystems["dta"] == nil)
    }

    @Test func needsAnAdministrator() {
        #expect(CommandDescription(SetLogLevel.self).role == .administrator)
        #expect(throws: CommandError.self) {
            try CommandRequest(CommandDescription(SetLogLevel.self), arguments: ["level": "trace"])
        }
    }

    @Test func settingsChangeTheLevelsOfARunningBox() throws {
        let context = try FeatureContext.testing(journal: journal)
        _ = try FeatureHost([Logging.self], context)
        var outcome: Result<SettingsOutcome, SettingsFailure>?
        context.settings.change(.merge(["log": ["level": "debug"]]), from: .localSocket) { outcome = $0 }
        #expect(try outcome?.get().changes == [SettingChange("/log/level", .atOnce)])
        #expect(journal.levels.level == .debug && journal.levels.subsystems.isEmpty)
    }
}
