// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The repository's `config/`.
enum ConfigFiles {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("config")

    static let schema = folder.appendingPathComponent("settings.schema.json")

    static let layoutSchema = folder.appendingPathComponent("layout.schema.json")

    static let decoderSchema = folder.appendingPathComponent("decoders.schema.json")

    /// What a board says of its decoders.
    static func board(_ name: String) -> URL {
        folder.deletingLastPathComponent().appendingPathComponent("board/\(name)/decoders.json")
    }

    private static let ofFeatures = [
        "bar.json", "laboratory.json", "network-802.1x.json", "network-vlan.json", "network-wifi.json",
        "reports.json", "stadium-concourse.json", "sync-group.json", "sync.json",
    ]

    /// Those without sections of features, which are tested with the box.
    static let examples: [URL] = {
        let entries = try? FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent("examples"), includingPropertiesForKeys: nil)
        // None at all: a test says so.
        return (entries ?? []).filter { $0.pathExtension == "json" && !ofFeatures.contains($0.lastPathComponent) }
            .sorted { $0.path < $1.path }
    }()

    static func octets(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
}
