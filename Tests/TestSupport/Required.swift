// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a test needs of the machine that it runs on. For `.enabled(if:)`: a test that is left out is told as skipped, and
/// never passes.
public enum Required {
    /// `TOUCHLINE_REQUIRE_PEERS`, as in CI: a test runs without what it needs, too, and fails.
    public static let everything = ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] == "1"

    /// - Parameter path: of a program or another file, absolute; or the name of a program in a folder of `PATH`.
    /// - Returns: whether it is there, or required.
    public static func file(_ path: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let places = path.hasPrefix("/") ? [path] : folders.map { "\($0)/\(path)" }
        if places.contains(where: FileManager.default.fileExists) { return true }
        print("SKIP: \(path) is not installed")
        return everything
    }
}
