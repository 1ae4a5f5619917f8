// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The emulated machine of `board/guest`, which has a screen and a video decoder that nobody else needs.
public enum Guest {
    /// Whether this process runs there, and may do with its devices what it likes.
    public static let isHere: Bool = {
        let isHere = ProcessInfo.processInfo.environment["TOUCHLINE_GUEST"] == "1"
        if !isHere { print("SKIP: not in the machine of board/guest: tests of its screen and decoder are left out") }
        return isHere
    }()

    /// Numbers depend on who came first.
    /// - Parameter name: `stateful-decoder`.
    /// - Returns: `/dev/video1`.
    public static func videoNode(named name: String) -> String? {
        let folder = "/sys/class/video4linux"
        let nodes = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // without drivers: none
        return nodes.first { node in
            let text = FileManager.default.contents(atPath: "\(folder)/\(node)/name").map {
                String(decoding: $0, as: UTF8.self)
            }
            return text?.contains(name) ?? false
        }.map { "/dev/\($0)" }
    }
}
