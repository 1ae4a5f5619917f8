// SPDX-License-Identifier: Apache-2.0

/// The controls that are raised on a card that is played to, because cards start muted. They are set to 0 dB, since the
/// volume is set in our own mixer.
enum CardLevels {
    /// A control of libasound's simple mixer, as far as it concerns playback.
    struct Element: Equatable {
        var name: String
        var hasVolume = false
        var hasSwitch = false
    }

    enum Change: Equatable {
        /// Sets the volume to 0 dB or the nearest value.
        case fullVolume(of: String)
        case on(String)
    }

    /// The controls between a PCM and a socket. Others, such as capture, monitoring and effects, are left alone.
    private static let names: Set = [
        "Master", "PCM", "HDMI", "IEC958", "Front", "Headphone", "Line Out", "Speaker", "Digital", "DAC",
    ]

    static func changes(of elements: [Element]) -> [Change] {
        var changes: [Change] = []
        for element in elements where concerns(element.name) {
            if element.hasVolume { changes.append(.fullVolume(of: element.name)) }
            if element.hasSwitch { changes.append(.on(element.name)) }
        }
        return changes
    }

    /// Also true for `IEC958 1` and `HDMI 2`, because the simple mixer adds an index to some names.
    private static func concerns(_ name: String) -> Bool {
        if names.contains(name) { return true }
        guard let space = name.lastIndex(of: " "), name[space...].dropFirst().allSatisfy(\.isNumber) else {
            return false
        }
        return names.contains(String(name[..<space]))
    }
}
