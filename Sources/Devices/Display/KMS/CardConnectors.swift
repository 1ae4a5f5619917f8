// SPDX-License-Identifier: Apache-2.0
import System

/// The connectors of this machine's graphics cards, without opening a card.
public enum CardConnectors {
    /// The kernel's names, such as `HDMI-A-1`, sorted. Connected or not.
    /// - Parameter directory: has an entry such as `card0-HDMI-A-1` for each.
    public static func names(in directory: String = "/sys/class/drm") -> [String] {
        // A directory that cannot be read shows no connector.
        let entries = (try? DurableFile.names(in: directory)) ?? []
        return entries.compactMap(Self.name).sorted()
    }

    private static func name(of entry: String) -> String? {
        let parts = entry.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, parts[0].hasPrefix("card"), Int(parts[0].dropFirst(4)) != nil else { return nil }
        return String(parts[1])
    }
}
