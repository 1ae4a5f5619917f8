// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Sound

/// Listings as machines have them; what is `connected` is what the case needs.
@Suite struct SoundDeviceTests {
    private typealias Card = SoundListing.Card
    private typealias Device = SoundListing.Device

    private func names(_ cards: Card...) -> [String] {
        SoundDevice.choices(from: SoundListing(cards)).flatMap(\.names)
    }

    private func pi(_ first: SoundListing.Display, _ second: SoundListing.Display) -> [Card] {
        let name = "fef00700.hdmi-i2s-hifi MAI PCM i2s-hifi-0"
        return [
            Card(
                number: 0, id: "Headphones", driver: "bcm2835_headpho",
                devices: [Device(0, "bcm2835 Headphones")]),
            Card(number: 1, id: "vc4hdmi0", driver: "vc4-hdmi", devices: [Device(0, name, display: first)]),
            Card(number: 2, id: "vc4hdmi1", driver: "vc4-hdmi", devices: [Device(0, name, display: second)]),
        ]
    }

    private func intel(_ displays: [SoundListing.Display]) -> Card {
        var devices = [Device(0, "ALC887-VD Analog"), Device(1, "ALC887-VD Digital")]
        for (number, display) in zip([3, 7, 8], displays) {
            devices.append(Device(number, "HDMI \(devices.count - 2)", display: display))
        }
        return Card(number: 0, id: "PCH", driver: "HDA-Intel", devices: devices)
    }

    @Test func raspberryPi() {
        #expect(
            SoundDevice.choices(from: SoundListing(pi(.absent, .connected))).map(\.names) == [
                ["hdmi:CARD=vc4hdmi1,DEV=0", "plughw:CARD=vc4hdmi1,DEV=0"], ["plughw:CARD=Headphones,DEV=0"],
                ["default"],
            ])
        #expect(
            SoundDevice.choices(from: SoundListing(pi(.connected, .connected))).first?.names.first
                == "hdmi:CARD=vc4hdmi0,DEV=0")
        #expect(
            SoundDevice.choices(from: SoundListing(pi(.absent, .absent))).map(\.names) == [
                ["plughw:CARD=Headphones,DEV=0"], ["default"],
            ])
    }

    @Test func intelHDA() {
        #expect(
            names(intel([.absent, .connected, .absent])) == [
                "hdmi:CARD=PCH,DEV=1", "plughw:CARD=PCH,DEV=7", "plughw:CARD=PCH,DEV=0", "default",
            ])
        #expect(names(intel([.absent, .absent, .absent])) == ["plughw:CARD=PCH,DEV=0", "default"])
    }

    /// HDMI by a card of its own, the codec by another; both are `simple-card`, of which libasound knows nothing.
    @Test func rockpro64() {
        let hdmi = Card(
            number: 0, id: "rockchiphdmi", driver: "simple-card",
            devices: [Device(0, "ff8a0000.i2s-i2s-hifi i2s-hifi-0", display: .connected)])
        let codec = Card(
            number: 1, id: "rockchipes8316c", driver: "rockchip_es8316",
            devices: [Device(0, "ff890000.i2s-ES8316 HiFi ES8316 HiFi-0")])
        #expect(names(codec, hdmi).prefix(2) == ["hdmi:CARD=rockchiphdmi,DEV=0", "plughw:CARD=rockchiphdmi,DEV=0"])
    }

    @Test func emulator() {
        let hda = Card(number: 0, id: "Intel", driver: "HDA-Intel", devices: [Device(0, "Generic Analog")])
        #expect(names(hda) == ["plughw:CARD=Intel,DEV=0", "default"])
    }

    @Test func aLoopbackIsPlayedToByWhoNamesIt() {
        let loop = Card(
            number: 0, id: "Loopback", driver: "Loopback",
            devices: [Device(0, "Loopback PCM"), Device(1, "Loopback PCM")])
        #expect(names(loop) == ["default"])
    }

    /// Older drivers have no ELD: HDMI by its name alone comes behind what is known to be connected.
    @Test func aDriverThatKnowsNoDisplays() {
        let old = Card(number: 0, id: "sun4ihdmi", driver: "sun4i-hdmi", devices: [Device(0, "HDMI PCM")])
        #expect(
            names(intel([.absent, .absent, .connected]), old).map { $0.split(separator: ",")[0] } == [
                "hdmi:CARD=PCH", "plughw:CARD=PCH", "hdmi:CARD=sun4ihdmi", "plughw:CARD=sun4ihdmi", "plughw:CARD=PCH",
                "default",
            ])
    }

    @Test func nothing() { #expect(names() == ["default"]) }

    @Test func changesAreTold() {
        var listing = SoundListing(pi(.absent, .absent))
        var automatic = SoundCards(for: "auto") { listing }
        var fixed = SoundCards(for: "hw:0") { listing }
        #expect(automatic.change() == nil)
        listing = SoundListing(pi(.connected, .absent))
        #expect(automatic.change() == ["hdmi:CARD=vc4hdmi0,DEV=0", "plughw:CARD=vc4hdmi0,DEV=0"])
        #expect(automatic.change() == nil)
        #expect(fixed.change() == [])
    }

    /// Whatever this machine has.
    @Test func theListingOfThisMachineIsRead() {
        let listing = SoundListing.current()
        #expect(listing.cards.count <= 32)
        #expect(SoundListing.current() == listing)
    }
}
