// SPDX-License-Identifier: Apache-2.0
import Scene
import TestSupport
import Testing
import Time

struct ModePinTests {
    private static let fullHD = PixelSize(width: 1_920, height: 1_080)

    @Test(
        arguments: [
            ("1920x1080@50", .size(fullHD, FrameRate(50))), ("1920x1080", .size(fullHD, nil)),
            ("@50", .rate(FrameRate(50))),
            ("@59.94", .rate(.ntscFields)), ("preferred", .preferred),
            ("64x16384@23.976", .size(PixelSize(width: 64, height: 16_384), .ntscFilm)),
        ] as [(String, ModePin)])
    func text(text: String, pin: ModePin) {
        #expect(ModePin(text) == pin)
        #expect(pin.description == text)
    }

    @Test(arguments: [
        "", "@", "x", "1920", "1920x", "x1080", "1920x1080@", "1920X1080", "1920x1080x2", "1920x1080@50@50", "63x64",
        "64x16385", "01920x1080", "1920x1080@0", "1920x1080@300", "Preferred", "preferred@50", " 1920x1080", "+64x64",
        "1920x1080p", "１９２０x1080", "99999999999999999999x64", "1920×1080",
    ])
    func noText(text: String) { #expect(ModePin(text) == nil) }

    @Test func whatIsPrintedIsReadAsTheSame() throws {
        for seed in Effort.seeds(500) {
            var random = SplitMix64(seed: seed)
            let size = PixelSize(
                width: Int.random(in: ModePin.sides, using: &random),
                height: Int.random(in: ModePin.sides, using: &random))
            let whole = Int.random(in: 1...239, using: &random)
            let rate = try #require(FrameRate("\(whole).\(Int.random(in: 0...999, using: &random))"))
            for pin in [.size(size, rate), .size(size, nil), .rate(rate), .preferred] as [ModePin] {
                #expect(ModePin(pin.description) == pin)
            }
        }
    }

    /// The schema's expression and the reader agree, but for numbers that are too large.
    @Test func pattern() throws {
        let expression = try Regex("^(\(ModePin.pattern))$")
        for text in ["1920x1080@50", "1920x1080", "@59.94", "preferred", "64x64@1"] {
            #expect(text.wholeMatch(of: expression) != nil)
        }
        for text in ["", "1920", "x64", "64x64@", "64x64@50.", "064x64", "@050", "Preferred"] {
            #expect(text.wholeMatch(of: expression) == nil, "\(text)")
        }
    }
}
