// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A directory of one owner, gone with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        // Short: a Unix socket's path has 107 octets.
        path = FileManager.default.temporaryDirectory.path + "/interop-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    func remove() {
        // What cannot be removed stays behind in the directory for temporary files, whose purpose that is.
        try? FileManager.default.removeItem(atPath: path)
    }

    deinit { remove() }
}
