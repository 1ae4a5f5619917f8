// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import System

@Suite struct SystemProgramTests {
    private func run(_ script: String, keeping limit: Int = 65_536, within patience: Nanoseconds = .seconds(30)) throws
        -> SystemProgram.Outcome
    {
        try SystemProgram.run("/bin/sh", ["-c", script], keeping: limit, within: patience)
    }

    @Test func whatItPrintsAndHowItEnds() throws {
        let outcome = try run("echo out; echo $0 $LC_ALL; exit 3")
        #expect(outcome == SystemProgram.Outcome(code: 3, output: Array("out\n/bin/sh C\n".utf8)))
        #expect(try run("kill -TERM $$").code == 128 + 15)
    }

    @Test func itReadsNothing() throws { #expect(try run("cat").output == []) }

    @Test func muchIsCut() throws {
        let outcome = try run("yes | head -c 300000", keeping: 1_000)
        #expect(outcome.code == 0 && outcome.output.count == 1_000)
    }

    @Test func whatDoesNotEndIsKilled() throws {
        let began = SystemClock.monotonic()
        #expect(try run("exec sleep 600", within: .milliseconds(200)).code == 128 + 9)
        #expect(try run("exec >&-; exec sleep 600", within: .milliseconds(200)).code == 128 + 9)
        #expect(SystemClock.monotonic() - began < .seconds(60))
    }

    /// POSIX lets `posix_spawn` say it by its result or by the child's exit code 127. The kernel's says the first, an
    /// emulator of another processor's programs the second.
    @Test func aProgramThatIsNotThere() {
        let outcome = try? SystemProgram.run("/nonexistent/program", [], within: .seconds(10))
        #expect(outcome == nil || outcome == SystemProgram.Outcome(code: 127))
    }
}
