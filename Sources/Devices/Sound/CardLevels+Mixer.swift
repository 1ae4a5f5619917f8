// SPDX-License-Identifier: Apache-2.0
internal import CLibALSA

extension CardLevels {
    /// Sets the controls of a card. A card that has none, or whose controls cannot be opened, stays as it is.
    static func raise(onCard number: Int) {
        var opened: OpaquePointer?
        guard snd_mixer_open(&opened, 0) >= 0, let opened else { return }
        defer { snd_mixer_close(opened) }
        guard snd_mixer_attach(opened, "hw:\(number)") >= 0, snd_mixer_selem_register(opened, nil, nil) >= 0,
            snd_mixer_load(opened) >= 0
        else { return }
        var handle = snd_mixer_first_elem(opened)
        while let element = handle {
            for change in changes(of: [Element(element)]) { apply(change, to: element) }
            handle = snd_mixer_elem_next(element)
        }
    }

    private static func apply(_ change: Change, to element: OpaquePointer) {
        switch change {
        case .on: snd_mixer_selem_set_playback_switch_all(element, 1)
        case .fullVolume:
            // A range that ends below 0 dB is set to its end. A control without a decibel scale is set to its maximum.
            guard snd_mixer_selem_set_playback_dB_all(element, 0, -1) < 0 else { return }
            var (low, high) = (0, 0)
            guard snd_mixer_selem_get_playback_volume_range(element, &low, &high) >= 0 else { return }
            snd_mixer_selem_set_playback_volume_all(element, high)
        }
    }
}

extension CardLevels.Element {
    fileprivate init(_ element: OpaquePointer) {
        self.init(
            name: snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? "",
            hasVolume: snd_mixer_selem_has_playback_volume(element) != 0,
            hasSwitch: snd_mixer_selem_has_playback_switch(element) != 0)
    }
}
