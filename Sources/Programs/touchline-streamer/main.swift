// SPDX-License-Identifier: Apache-2.0
import Casting
import Glibc
import HeadEnd
import System
import Venue

/// Writes one line to standard error, for the journal or the technician, and ends the program.
func fail(_ code: CInt, _ message: String) -> Never {
    try? StandardStream.error.write(Array("touchline-streamer: \(message)\n".utf8))  // the exit code says it too
    exit(code)
}

func makeSignals() throws(Status) -> SignalWatch {
    do {
        return try SignalWatch()
    } catch {
        throw .failure(.failed, "\(error)")
    }
}

func run(_ options: HeadEndOptions) throws(Status) {
    let signals = try makeSignals()
    try HeadEnd(options).run(until: signals)
}

func show(_ options: TelevisionOptions) throws(Status) {
    let signals = try makeSignals()
    try HeadEnd(options).run(until: signals)
}

func relay(_ plan: RelayPlan) throws(Status) {
    let signals = try makeSignals()
    try Relay(plan).run(until: signals)
}

do throws(Status) {
    switch HeadEndOptions.parse(Array(CommandLine.arguments.dropFirst())) {
    case .printHelp: print(HeadEndOptions.usage, terminator: "")
    case .television(.printHelp): print(TelevisionOptions.usage, terminator: "")
    case .television(.refuse(let message)): fail(2, message)
    case .television(.run(let options)): try show(options)
    case .relay(.printHelp): print(RelayPlan.usage, terminator: "")
    case .relay(.refuse(let message)): fail(2, message)
    case .relay(.run(let plan)): try relay(plan)
    case .printVersion: print("touchline-streamer \(Build.version) (\(ImageBuild.id))")
    case .refuse(let message): fail(2, message)
    case .check(let options): _ = try HeadEnd(options)
    case .run(let options): try run(options)
    }
} catch {
    fail(CInt(error.code.rawValue), error.errorString)
}
