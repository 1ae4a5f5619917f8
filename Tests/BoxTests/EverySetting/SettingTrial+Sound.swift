// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import Time

extension SettingTrial {
    static func ofSound(_ venue: SettingsVenue) -> [SettingTrial] {
        let (other, raw) = (venue.wave + "-other.wav", venue.wave + ".raw")
        return [
            SettingTrial("sound.kind", "null", by: "the file no longer grows") { _ in
                let before = try octets(of: venue.wave)
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(300))
                return try octets(of: venue.wave) == before
            },
            SettingTrial("sound.wavPath", .string(other), by: "the other file grows") { _ in
                try octets(of: other) > 20_000
            },
            // A PCM of alsa-lib itself, which needs no card.
            SettingTrial("sound.device", .string("file:FILE=\(raw),FORMAT=raw"), by: "a PCM that is a file grows") {
                _ in
                try octets(of: raw) > 20_000
            }.given(["sound": ["kind": "alsa", "device": "null"]]),
            SettingTrial("sound.unmute", by: "shown; GuestPlayerTests: the emulated card is raised"),
            SettingTrial("sound.volume", 40, by: "status") { try $0.answer("status")["volume"] == 40 },
            SettingTrial("sound.muted", true, by: "status") { try $0.answer("status")["isMuted"] == true },
        ]
    }
}
