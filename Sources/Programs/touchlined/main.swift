// SPDX-License-Identifier: Apache-2.0
import Box
import Glibc
import System
import Venue

/// Writes one line to standard error, for the journal or the technician, and ends the program.
func fail(_ code: CInt, _ message: String) -> Never {
    try? StandardStream.error.write(Array("touchlined: \(message)\n".utf8))  // the exit code says it too
    exit(code)
}

func run(_ options: BoxOptions) throws(Status) {
    let signals: SignalWatch
    do {
        signals = try SignalWatch()
    } catch {
        throw .failure(.failed, "\(error)")
    }
    try Box(options).run(until: signals)
}

switch BoxOptions.parse(Array(CommandLine.arguments.dropFirst())) {
case .printHelp: print(BoxOptions.usage, terminator: "")
case .printVersion: print("touchlined \(Build.version) (\(ImageBuild.id))")
case .refuse(let message): fail(2, message)
case .run(let options):
    do throws(Status) {
        try run(options)
    } catch {
        fail(CInt(error.code.rawValue), error.errorString)
    }
}
