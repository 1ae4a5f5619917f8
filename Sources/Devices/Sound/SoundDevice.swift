// SPDX-License-Identifier: Apache-2.0

/// Where sound could go.
public struct SoundDevice: Hashable, Sendable {
    /// Of its PCM, in the order in which they are tried.
    public var names: [String]

    public init(_ names: String...) { self.names = names }

    /// What stands for it in the settings.
    public static let automatic = "auto"

    /// Which to try, best first: those whose display is connected; those whose driver does not know of the display's
    /// absence; analogue and other ones; whatever `default` says. A display that is off is not played to: it comes back
    /// as another listing.
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
    /// Nobody hears what is played into it but who looks for it, and names it.
    fileprivate var isLoopback: Bool { driver == "Loopback" || driver == "Dummy" }

    fileprivate func plain(_ device: SoundListing.Device) -> SoundDevice {
        SoundDevice("plughw:CARD=\(id),DEV=\(device.number)")
    }

    /// libasound knows of some cards how they want the channel status of IEC 60958; there `hdmi` counts on its own.
    fileprivate func display(_ device: SoundListing.Device, ordinal: Int) -> SoundDevice {
        let index = driver.hasPrefix("HDA") ? Self.devicesOfHDA.firstIndex(of: device.number) ?? ordinal : ordinal
        return SoundDevice("hdmi:CARD=\(id),DEV=\(index)", "plughw:CARD=\(id),DEV=\(device.number)")
    }

    /// By their number in `hdmi`: alsa-lib's cards/HDA-Intel.conf.
    private static let devicesOfHDA = [3, 7, 8, 9, 10, 11, 12, 13]
}

extension SoundListing.Device {
    fileprivate var isDisplay: Bool { display != .unknown || hasWord(["hdmi", "displayport"]) }

    /// S/PDIF: nobody knows whether anything is at its end.
    fileprivate var isDigital: Bool { hasWord(["iec958", "spdif", "s/pdif", "digital"]) }

    private func hasWord(_ words: [String]) -> Bool {
        let text = name.lowercased()
        return words.contains { word in
            text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "/" })
                .contains { $0.hasPrefix(word) }
        }
    }
}
