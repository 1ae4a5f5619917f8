// SPDX-License-Identifier: Apache-2.0
import Glibc
import NetworkHelper
import System
import Venue

/// Writes one line to standard error, for the journal, and ends the program.
func fail(_ code: CInt, _ message: String) -> Never {
    try? StandardStream.error.write(Array("touchline-network-helper: \(message)\n".utf8))  // the exit code says it too
    exit(code)
}

// The service manager has accepted the connection, which is standard input.
let user = SystemUser.number(of: HelperConnection.serviceUser)
do throws(Status) {
    switch Array(CommandLine.arguments.dropFirst()) {
    case []: try HelperConnection.serve(STDIN_FILENO, by: NetworkHelper(), only: user)
    case ["capture"]: try HelperConnection.serveCapture(STDIN_FILENO, only: user)
    default: fail(2, "takes no arguments, or capture; systemd starts it for a request")
    }
} catch {
    fail(CInt(error.code.rawValue), error.errorString)
}
