// SPDX-License-Identifier: Apache-2.0
import Glibc
import Reporter
import Simulator
import System
import Venue

/// Writes one line to standard error, for the journal or whoever runs it, and ends the program.
func fail(_ code: CInt, _ message: String) -> Never {
    try? StandardStream.error.write(Array("touchline-reporter: \(message)\n".utf8))  // the exit code says it too
    exit(code)
}

func watchSignals() throws(Status) -> SignalWatch {
    do {
        return try SignalWatch()
    } catch {
        throw .failure(.failed, "\(error)")
    }
}

func run(_ options: ReporterOptions) throws(Status) {
    let configuration = try ReporterConfiguration(path: options.configuration)
    let signals = try watchSignals()
    try Reporter(configuration).run(until: signals)
}

func simulate(_ options: SimulatorOptions) throws(Status) {
    try Simulation.run(options, until: try watchSignals()) { line in
        // Who does not read it any more has the exit code.
        try? StandardStream.output.write(Array("\(line)\n".utf8))
    }
}

let words = Array(CommandLine.arguments.dropFirst())
do throws(Status) {
    if words.first == "simulate" {
        switch SimulatorOptions.parse(Array(words.dropFirst())) {
        case .printHelp: print(SimulatorOptions.usage, terminator: "")
        case .refuse(let message): fail(2, message)
        case .run(let options): try simulate(options)
        }
        exit(0)
    }
    switch ReporterOptions.parse(words) {
    case .printHelp: print(ReporterOptions.usage, terminator: "")
    case .printVersion: print("touchline-reporter \(Build.version) (\(ImageBuild.id))")
    case .refuse(let message): fail(2, message)
    case .check(let options): _ = try ReporterConfiguration(path: options.configuration)
    case .backUp(let options, let path):
        try ReporterBackup.make(of: try ReporterConfiguration(path: options.configuration), to: path)
    case .users(let options, let action):
        print(try ReporterUsers.perform(action, try ReporterConfiguration(path: options.configuration)), terminator: "")
    case .run(let options): try run(options)
    }
} catch {
    fail(CInt(error.code.rawValue), error.errorString)
}
