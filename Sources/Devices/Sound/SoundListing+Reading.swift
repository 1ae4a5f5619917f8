// SPDX-License-Identifier: Apache-2.0
internal import CLibALSA

extension SoundListing {
    private static let mostCards = 32

    /// Lists the cards present now. A card that is removed meanwhile is left out.
    /// - Thread: any; it opens control devices, which do not block.
    public static func current() -> SoundListing {
        silenceLibrary()
        var cards: [Card] = []
        var number: CInt = -1
        while cards.count < mostCards, snd_card_next(&number) >= 0, number >= 0 {
            if let card = Card(reading: Int(number)) { cards.append(card) }
        }
        return SoundListing(cards)
    }
}

extension SoundListing.Card {
    private static let mostDevices = 64

    fileprivate init?(reading number: Int) {
        var opened: OpaquePointer?
        guard snd_ctl_open(&opened, "hw:\(number)", CInt(SND_CTL_NONBLOCK)) >= 0, let opened else { return nil }
        defer { snd_ctl_close(opened) }
        var info: OpaquePointer?
        guard snd_ctl_card_info_malloc(&info) >= 0 else { return nil }
        defer { snd_ctl_card_info_free(info) }
        guard snd_ctl_card_info(opened, info) >= 0, let id = snd_ctl_card_info_get_id(info),
            let driver = snd_ctl_card_info_get_driver(info)
        else { return nil }
        self.init(number: number, id: String(cString: id), driver: String(cString: driver), devices: [])
        var device: CInt = -1
        while devices.count < Self.mostDevices, snd_ctl_pcm_next_device(opened, &device) >= 0, device >= 0 {
            if let device = SoundListing.Device(reading: device, of: opened) { devices.append(device) }
        }
    }
}

extension SoundListing.Device {
    fileprivate init?(reading number: CInt, of card: OpaquePointer) {
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) >= 0 else { return nil }
        defer { snd_pcm_info_free(info) }
        snd_pcm_info_set_device(info, CUnsignedInt(number))
        snd_pcm_info_set_subdevice(info, 0)
        snd_pcm_info_set_stream(info, SND_PCM_STREAM_PLAYBACK)
        // The device only captures, or is gone.
        guard snd_ctl_pcm_info(card, info) >= 0 else { return nil }
        let texts = [snd_pcm_info_get_id(info), snd_pcm_info_get_name(info)]
            .map { text in text.map { String(cString: $0) } ?? "" }
        let name = texts[0] == texts[1] ? texts[0] : texts.filter { !$0.isEmpty }.joined(separator: " ")
        self.init(Int(number), name, display: Self.display(of: number, of: card))
    }

    /// Reads the control that the kernel provides for each PCM of a display. It holds the display's description (ELD);
    /// without a display it is empty or all zeros.
    private static func display(of number: CInt, of card: OpaquePointer) -> SoundListing.Display {
        var (allocatedID, allocatedInfo, allocated) = (OpaquePointer?.none, OpaquePointer?.none, OpaquePointer?.none)
        guard snd_ctl_elem_id_malloc(&allocatedID) >= 0 else { return .unknown }
        defer { snd_ctl_elem_id_free(allocatedID) }
        guard snd_ctl_elem_info_malloc(&allocatedInfo) >= 0 else { return .unknown }
        defer { snd_ctl_elem_info_free(allocatedInfo) }
        guard snd_ctl_elem_value_malloc(&allocated) >= 0 else { return .unknown }
        defer { snd_ctl_elem_value_free(allocated) }
        snd_ctl_elem_id_set_interface(allocatedID, SND_CTL_ELEM_IFACE_PCM)
        snd_ctl_elem_id_set_name(allocatedID, "ELD")
        snd_ctl_elem_id_set_device(allocatedID, CUnsignedInt(number))
        snd_ctl_elem_info_set_id(allocatedInfo, allocatedID)
        guard snd_ctl_elem_info(card, allocatedInfo) >= 0 else { return .unknown }
        snd_ctl_elem_value_set_id(allocated, allocatedID)
        let count = min(snd_ctl_elem_info_get_count(allocatedInfo), 128)
        guard count > 0 else { return .absent }
        guard snd_ctl_elem_read(card, allocated) >= 0 else { return .absent }
        let hasText = (0..<count).contains { snd_ctl_elem_value_get_byte(allocated, $0) != 0 }
        return hasText ? .connected : .absent
    }
}
