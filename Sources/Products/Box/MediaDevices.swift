// SPDX-License-Identifier: Apache-2.0
import Display
import Network
import Settings
import Sound

/// What the media threads have of this machine; replaced by tests.
package struct MediaDevices: Sendable {
    /// Where a graphics card is found.
    package var cards = CardSearch()
    /// Opens the output of sound that the settings want.
    package var sound: @Sendable (Settings.Sound) throws -> any SoundOutput = Self.openSound
    /// The wall clock by which the kernel stamps what a channel receives.
    package var stamps = StampingClock()

    package init() {}

    @Sendable private static func openSound(_ settings: Settings.Sound) throws -> any SoundOutput {
        switch settings.output {
        case .null: NullSound()
        case .wav(let path): try WAVSound(path: path)
        case .alsa(let device): try ALSASound(device: device, unmutes: settings.unmutes)
        }
    }
}
