// SPDX-License-Identifier: Apache-2.0

/// What is turned up on a card that is played to: cards start muted. How loud it is is the mixer's affair, so 0 dB.
enum CardLevels {
    /// A control of libasound's simple mixer, as far as it concerns what is played.
    struct Element: Equatable {
        var name: String
        var hasVolume = false
        var hasSwitch = false
    }

    enum Change: Equatable {
        /// 0 dB, or what is nearest to it.
        case fullVolume(of: String)
        case on(String)
    }

    /// What lies between a PCM and a socket. All else is left as it is: what is recorded or monitored, effects.
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

    /// Also `IEC958 1`, `HDMI 2`: the simple mixer numbers some by name.
    private static func concerns(_ name: String) -> Bool {
        if names.contains(name) { return true }
        guard let space = name.lastIndex(of: " "), name[space...].dropFirst().allSatisfy(\.isNumber) else {
            return false
        }
        return names.contains(String(name[..<space]))
    }
}
