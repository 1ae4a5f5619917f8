// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Sound

@Suite struct CardLevelsTests {
    private typealias Element = CardLevels.Element

    /// As `amixer scontents` shows them of an emulated hda-output and of a PC's HDA.
    @Test func whatLiesBeforeTheSocketIsTurnedUp() {
        let emulated = [Element(name: "Master", hasVolume: true, hasSwitch: true)]
        #expect(CardLevels.changes(of: emulated) == [.fullVolume(of: "Master"), .on("Master")])
        let usual = [
            Element(name: "Master", hasVolume: true, hasSwitch: true), Element(name: "Headphone", hasSwitch: true),
            Element(name: "PCM", hasVolume: true), Element(name: "Line Out", hasSwitch: true),
            Element(name: "Front Mic Boost", hasVolume: true), Element(name: "Line", hasVolume: true, hasSwitch: true),
            Element(name: "Beep", hasVolume: true, hasSwitch: true), Element(name: "IEC958", hasSwitch: true),
            Element(name: "IEC958 16", hasSwitch: true), Element(name: "Capture"), Element(name: "Loopback Mixing"),
            Element(name: "HDMI", hasVolume: true), Element(name: ""), Element(name: "16", hasSwitch: true),
        ]
        #expect(
            CardLevels.changes(of: usual) == [
                .fullVolume(of: "Master"), .on("Master"), .on("Headphone"), .fullVolume(of: "PCM"), .on("Line Out"),
                .on("IEC958"), .on("IEC958 16"), .fullVolume(of: "HDMI"),
            ])
    }
}
