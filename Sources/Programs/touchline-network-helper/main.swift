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
guard CommandLine.arguments.count == 1 else { fail(2, "takes no arguments; systemd starts it for a request") }
do throws(Status) {
    try HelperConnection.serve(
        STDIN_FILENO, by: NetworkHelper(), only: SystemUser.number(of: HelperConnection.serviceUser))
} catch {
    fail(CInt(error.code.rawValue), error.errorString)
}
