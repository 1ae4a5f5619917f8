// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A directory of this process alone, for files that a program reads. It goes with this value; its files are to be removed
/// before.
public struct TemporaryDirectory: ~Copyable {
    public let path: String

    /// Makes it where TMPDIR says, or in /tmp.
    public init() throws(SystemCallError) {
        var template = Array("\(ProgramEnvironment["TMPDIR"] ?? "/tmp")/touchline.XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        guard made else { throw SystemCallError("mkdtemp", .current) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { rmdir(path) }
}
