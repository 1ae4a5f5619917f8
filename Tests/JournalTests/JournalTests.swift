// SPDX-License-Identifier: Apache-2.0
import Journal
import TestSupport
import Testing
import Venue

struct JournalTests {
    let lines = LogLines()
    let journal: Journal

    init() {
        let lines = lines
        journal = Journal { lines.write($0) }
    }

    @Test func writesPriorityMessageAndFields() {
        let log = journal.log(for: "delivery")
        log(.notice, "object complete", ["tsi": 1, "toi": 7])
        log(.error, "no stage")
        #expect(lines.all == ["<5>delivery: object complete tsi=1 toi=7\n", "<3>delivery: no stage\n"])
    }

    @Test func noValueLooksLikeAnotherFieldOrLine() {
        let log = journal.log(for: "lineup")
        log(
            .info, "channel added",
            ["name": "Two words", "text": "a\n<3>box: on fire", "x": "b=c", "y": "", "z": "\u{1b}[2J\"\\"])
        #expect(
            lines.all == [
                #"<6>lineup: channel added name="Two words" text="a\n<3>box: on fire" x="b=c" y="" z="\u{1b}[2J\"\\""#
                    + "\n"
            ])
        log(.info, "long", ["value": String(repeating: "ä", count: 10_000)])
        #expect((lines.all.last?.utf8.count ?? 0) < 1_100)
    }

    /// SVM-08: INFO by default, DEBUG a superset of INFO, settable while it runs, for each subsystem.
    @Test func levelsAreSetAtRunTime() {
        func heard(_ log: Log) -> [LogLevel] { LogLevel.allCases.filter { log.admits($0) } }
        let early = journal.log(for: "lineup")
        let other = journal.log(for: "playback")
        #expect(heard(early) == [.info, .notice, .warning, .error])
        journal.levels.subsystems["lineup"] = .debug
        #expect(heard(early) == LogLevel.allCases)
        #expect(heard(journal.log(for: "lineup")) == LogLevel.allCases)
        #expect(heard(other) == [.info, .notice, .warning, .error])
        journal.levels.level = .error
        #expect(heard(other) == [.error])
        #expect(heard(early) == LogLevel.allCases)
        journal.levels.subsystems["lineup"] = nil
        #expect(heard(early) == [.error])
        #expect(journal.levels == Journal.Levels(level: .error))
    }

    @Test func fieldsOfUnheardLinesAreNotMade() {
        let log = journal.log(for: "lineup")
        func expensive() -> Int {
            Issue.record("made for nobody")
            return 1
        }
        log(.debug, "packet", ["octets": expensive()])
        #expect(lines.all.isEmpty)
    }

    @Test func threadsLogAtOnce() async {
        let journal = journal
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for line in 0..<100 {
                        journal.levels.subsystems["s\(number)"] = line % 2 == 0 ? .debug : .info
                        journal.log(for: "s\(number)")(.notice, "line", ["number": line])
                    }
                }
            }
        }
        #expect(lines.all.count == 800)
    }
}
