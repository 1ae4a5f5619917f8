// SPDX-License-Identifier: Apache-2.0
import Scene
import Testing

@testable import Display

struct KMSModeTests {
    private static func mode(
        _ width: Int, _ height: Int, _ hertz: Int, interlaced: Bool = false, preferred: Bool = false
    ) -> KMSMode {
        KMSMode(
            size: PixelSize(width: width, height: height), milliHertz: hertz * 1_000, isInterlaced: interlaced,
            isPreferred: preferred)
    }

    private let ofATelevision = [
        mode(1_920, 1_080, 60, preferred: true), mode(1_920, 1_080, 50), mode(1_920, 1_080, 60, interlaced: true),
        mode(1_280, 720, 50), mode(1_280, 720, 60), mode(1_280, 720, 75), mode(720, 576, 50, interlaced: true),
    ]

    @Test(arguments: [
        (1_920, 1_080, 0), (1_280, 720, 4),
        // Its own mode rather than an interlaced one, or another size.
        (720, 576, 0), (640, 480, 0),
    ])
    func choice(width: Int, height: Int, expected: Int) {
        #expect(KMSMode.choice(of: ofATelevision, for: PixelSize(width: width, height: height)) == expected)
    }

    @Test func interlacedWhenThereIsNoOther() {
        let modes = [Self.mode(1_920, 1_080, 60, interlaced: true), Self.mode(720, 576, 50, interlaced: true)]
        #expect(KMSMode.choice(of: modes, for: PixelSize(width: 720, height: 576)) == 1)
        #expect(KMSMode.choice(of: [], for: PixelSize(width: 720, height: 576)) == nil)
    }

    @Test func rates() {
        #expect(Self.mode(1, 1, 50).rate == 50)
        let film = KMSMode(
            size: PixelSize(width: 1, height: 1), milliHertz: 59_940, isInterlaced: false, isPreferred: false)
        #expect(film.rate == 60)
        #expect(Self.mode(1, 1, 0).rate == 1 && Self.mode(1, 1, 5_000).rate == 240)
    }
}
