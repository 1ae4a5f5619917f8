// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

public enum ChildProcess {
    /// Runs this program again with the same standard streams and waits for it to exit.
    /// - Parameter words: the arguments without the program's name; they contain no NUL.
    /// - Returns: its exit code, or 128 plus the number of the signal that ended it.
    public static func runSelf(with words: [String]) throws(SystemCallError) -> Int32 {
        var arguments: [UnsafeMutablePointer<CChar>?] = ([CommandLine.arguments.first ?? ""] + words).map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var child: pid_t = 0
        let code = touchline_spawn_self(arguments, &child)
        guard code == 0 else { throw SystemCallError("posix_spawn", Errno(rawValue: code)) }
        var status: Int32 = 0
        _ = try syscall("waitpid") { waitpid(child, &status, 0) }
        touchline_forget_interrupts()  // those were for the child
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }
}
