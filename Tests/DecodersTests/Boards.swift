// SPDX-License-Identifier: Apache-2.0
import Codecs
import System

import class Foundation.FileManager

/// The folder of boards' files of an image.
final class Boards {
    let folder: String
    private var manifest = ""

    init() throws {
        folder = "/tmp/touchline-boards-" + (try BoxIdentity.random())
        try DurableFile.makeDirectory(folder)
    }

    func add(_ name: String, _ text: String, digest: String? = nil) throws {
        try DurableFile.write(Array(text.utf8), to: "\(folder)/\(name)")
        manifest += try "\(digest ?? Digest.sha256(Array(text.utf8)))  \(name)\n"
        try DurableFile.write(Array(manifest.utf8), to: "\(folder)/SHA256SUMS")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // a leftover in /tmp hurts nobody
}
