// SPDX-License-Identifier: Apache-2.0

/// A device to which sound could be played.
public struct SoundDevice: Hashable, Sendable {
    /// Names of its PCM, in the order in which they are tried.
    public var names: [String]

    public init(_ names: String...) { self.names = names }

    /// The name in the settings that leaves the choice to us.
    public static let automatic = "auto"

    /// Devices to try, best first: those with a connected display; display outputs whose driver cannot tell whether one
    /// is connected; analogue and other devices; the PCM `default`. A display that is switched off is left out; when it
    /// comes back, the listing changes.
    public static func choices(from listing: SoundListing) -> [SoundDevice] {
        var ranks: [[SoundDevice]] = [[], [], []]
        for card in listing.cards where !card.isLoopback {
            var displays = 0
            for device in card.devices {
                let isDisplay = device.isDisplay
                switch (device.display, isDisplay) {
                case (.connected, _): ranks[0].append(card.display(device, ordinal: displays))
                case (.unknown, true): ranks[1].append(card.display(device, ordinal: displays))
                case (.unknown, false) where !device.isDigital: ranks[2].append(card.plain(device))
                default: break
                }
                if isDisplay { displays += 1 }
            }
        }
        return ranks.flatMap { $0 } + [SoundDevice("default")]
    }
}

extension SoundListing.Card {
    /// Nobody hears these cards unless they are named in the settings on purpose.
    fileprivate var isLoopback: Bool { driver == "Loopback" || driver == "Dummy" }

    fileprivate func plain(_ device: SoundListing.Device) -> SoundDevice {
        SoundDevice("plughw:CARD=\(id),DEV=\(device.number)")
    }

    /// libasound's `hdmi` PCM knows the channel status of IEC 60958 that some cards need; it numbers devices in its own
    /// way.
    fileprivate func display(_ device: SoundListing.Device, ordinal: Int) -> SoundDevice {
        let index = driver.hasPrefix("HDA") ? Self.devicesOfHDA.firstIndex(of: device.number) ?? ordinal : ordinal
        return SoundDevice("hdmi:CARD=\(id),DEV=\(index)", "plughw:CARD=\(id),DEV=\(device.number)")
    }

    /// PCM device numbers by their index in `hdmi`, from alsa-lib's cards/HDA-Intel.conf.
    private static let devicesOfHDA = [3, 7, 8, 9, 10, 11, 12, 13]
}

extension SoundListing.Device {
    fileprivate var isDisplay: Bool { display != .unknown || hasWord(["hdmi", "displayport"]) }

    /// S/PDIF, where it is unknown whether anything is connected.
    fileprivate var isDigital: Bool { hasWord(["iec958", "spdif", "s/pdif", "digital"]) }

    private func hasWord(_ words: [String]) -> Bool {
        let text = name.lowercased()
        return words.contains { word in
            text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "/" })
                .contains { $0.hasPrefix(word) }
        }
    }
}
