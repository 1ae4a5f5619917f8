// SPDX-License-Identifier: Apache-2.0
import CLibALSA
import Testing

/// The control `Master` of the emulated machine's sound card.
struct GuestCard {
    struct Level: Equatable, CustomStringConvertible {
        var isOn: Bool
        /// In hundredths of a decibel.
        var gain: Int

        var description: String { "\(isOn ? "on" : "off") at \(Double(gain) / 100) dB" }
    }

    /// As cards start.
    static func mute() throws {
        try withMaster { master in
            try #require(snd_mixer_selem_set_playback_switch_all(master, 0) >= 0)
            try #require(snd_mixer_selem_set_playback_dB_all(master, -2_000, -1) >= 0)
        }
    }

    static func level() throws -> Level {
        try withMaster { master in
            var (isOn, gain): (CInt, Int) = (0, 0)
            try #require(snd_mixer_selem_get_playback_switch(master, SND_MIXER_SCHN_FRONT_LEFT, &isOn) >= 0)
            try #require(snd_mixer_selem_get_playback_dB(master, SND_MIXER_SCHN_FRONT_LEFT, &gain) >= 0)
            return Level(isOn: isOn != 0, gain: gain)
        }
    }

    private static func withMaster<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        var opened: OpaquePointer?
        try #require(snd_mixer_open(&opened, 0) >= 0)
        let mixer = try #require(opened)
        defer { snd_mixer_close(mixer) }
        try #require(snd_mixer_attach(mixer, "hw:0") >= 0, "the machine has no sound card")
        try #require(snd_mixer_selem_register(mixer, nil, nil) >= 0 && snd_mixer_load(mixer) >= 0)
        var element = snd_mixer_first_elem(mixer)
        while let found = element, String(cString: snd_mixer_selem_get_name(found)) != "Master" {
            element = snd_mixer_elem_next(found)
        }
        return try body(try #require(element, "the card has no control Master"))
    }
}
