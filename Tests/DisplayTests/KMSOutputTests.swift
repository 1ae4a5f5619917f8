// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene
import System
import Testing
import Time

@testable import Display

/// A machine has a screen or says what it lacks; either way nobody waits.
@Suite(.serialized) struct KMSOutputTests {
    @Test func showsOrSaysWhyNot() throws {
        let output = try KMSOutput(size: PixelSize(width: 640, height: 360)) {}
        var fault: DisplayError?
        // A mode is being set, if there is a screen; nothing waits for it.
        let limit = SystemClock.monotonic() + .seconds(10)
        while output.rate != nil, output.screen?.mode == nil, SystemClock.monotonic() < limit {
            let now = SystemClock.monotonic()
            SystemClock.sleep(until: min(output.attend(now: now) ?? limit, now + .milliseconds(20)))
        }
        let flips = output.screen?.counters.flips ?? 0
        for shade in UInt8(0)..<10 {
            output.compose { $0.fill(blue: shade, green: 0, red: 0) }
            _ = output.attend(now: Monotonic(nanoseconds: 0))
            _ = output.present(now: Monotonic(nanoseconds: 0))
            fault = fault ?? output.fault
        }
        var blue: UInt8?
        _ = output.readFront { blue = $0.bytes[0] }
        #expect(blue == 9)
        if let mode = output.screen?.mode {
            #expect(fault == nil && output.screen?.counters.flips == flips + 10, "\(mode)")
        } else {
            print("SKIP: \(fault.map(String.init(describing:)) ?? "no screen is connected"): no picture was flipped")
            #expect(fault?.description.hasSuffix("is missing") ?? true, "\(fault as Any)")
        }
    }

    @Test func whatIsNoCard() {
        #expect(throws: DisplayError.kms("open /dev/dri/none", code: ENOENT)) {
            _ = try AtomicCard(opening: "/dev/dri/none")
        }
        #expect(throws: DisplayError.missing("dumb buffers of /dev/null")) {
            _ = try AtomicCard(opening: "/dev/null")
        }
    }

    /// The kernel's own way to pull a cable: `TOUCHLINE_CONNECTOR` is a `status` below /sys/class/drm.
    @Test(.enabled(if: setting("TOUCHLINE_CONNECTOR") != nil, "TOUCHLINE_CONNECTOR is not set: no cable is pulled"))
    func connectorOffAndOn() throws {
        let path = try #require(Self.setting("TOUCHLINE_CONNECTOR"))
        let output = try KMSOutput(size: PixelSize(width: 1_280, height: 720)) {}
        for round in 1...5 {
            try Self.write("on", to: path)
            try Self.expectPicture(on: output, "round \(round)")
            try Self.write("off", to: path)
            let off = Self.play(on: output) { output.screen?.connector == nil }
            print("off after \(off?.milliseconds ?? -1) ms")
            #expect(off != nil)
        }
        try Self.write("detect", to: path)
        try Self.expectPicture(on: output, "in the end")
        print(output.screen as Any)
    }

    /// Likewise for the card: `TOUCHLINE_CARD_DRIVER` is a folder below /sys/bus, `TOUCHLINE_CARD` what it is bound to.
    @Test(.enabled(if: setting("TOUCHLINE_CARD") != nil, "TOUCHLINE_CARD is not set: no card is taken"))
    func cardTakenAndGiven() throws {
        let driver = try #require(Self.setting("TOUCHLINE_CARD_DRIVER"))
        let card = try #require(Self.setting("TOUCHLINE_CARD"))
        let output = try KMSOutput(size: PixelSize(width: 1_280, height: 720)) {}
        try Self.expectPicture(on: output, "before")
        for round in 1...2 {
            try Self.write(card, to: driver + "/unbind")
            #expect(Self.play(on: output) { output.screen?.connector == nil } != nil)
            try Self.write(card, to: driver + "/bind")
            try Self.expectPicture(on: output, "round \(round)")
        }
        print(output.screen as Any)
        #expect(output.screen?.counters.cardsLost == 2)
    }

    private static func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    /// Presents pictures until then.
    /// - Returns: how long that took; nil: too long.
    private static func play(on output: KMSOutput, until isDone: () -> Bool) -> Nanoseconds? {
        let start = SystemClock.monotonic()
        var shade = UInt8(0)
        while !isDone() {
            guard SystemClock.monotonic() - start < .seconds(20) else { return nil }
            shade &+= 1
            _ = output.attend(now: SystemClock.monotonic())
            output.compose { $0.fill(blue: shade, green: 255 - shade, red: 128) }
            _ = output.present(now: SystemClock.monotonic())
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
        }
        return SystemClock.monotonic() - start
    }

    private static func expectPicture(on output: KMSOutput, _ when: String) throws {
        let on = play(on: output) { output.screen?.connector != nil }
        let flips = output.screen?.counters.flips ?? 0
        let flipped = play(on: output) { (output.screen?.counters.flips ?? 0) >= flips + 50 }
        print("\(when): on after \(on?.milliseconds ?? -1) ms, 50 flips in \(flipped?.milliseconds ?? -1) ms")
        #expect(on != nil && flipped != nil)
    }
}
