// SPDX-License-Identifier: Apache-2.0
import Glibc
import Reporter
import System
import Venue

/// Writes one line to standard error, for the journal or whoever runs it, and ends the program.
func fail(_ code: CInt, _ message: String) -> Never {
    try? StandardStream.error.write(Array("touchline-reporter: \(message)\n".utf8))  // the exit code says it too
    exit(code)
}

func run(_ options: ReporterOptions) throws(Status) {
    let configuration = try ReporterConfiguration(path: options.configuration)
    let signals: SignalWatch
    do {
        signals = try SignalWatch()
    } catch {
        throw .failure(.failed, "\(error)")
    }
    try Reporter(configuration).run(until: signals)
}

do throws(Status) {
    switch ReporterOptions.parse(Array(CommandLine.arguments.dropFirst())) {
    case .printHelp: print(ReporterOptions.usage, terminator: "")
    case .printVersion: print("touchline-reporter \(Build.version) (\(Build.id))")
    case .refuse(let message): fail(2, message)
    case .check(let options): _ = try ReporterConfiguration(path: options.configuration)
    case .backUp(let options, let path):
        try ReporterBackup.make(of: try ReporterConfiguration(path: options.configuration), to: path)
    case .users(let options, let action):
        let text = try ReporterUsers.perform(action, try ReporterConfiguration(path: options.configuration))
        print(text, terminator: "")
    case .run(let options): try run(options)
    }
} catch {
    fail(CInt(error.code.rawValue), error.errorString)
}
