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
            #expect(fault == nil && output.screen?.counters.flips == 10, "\(mode)")
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
    @Test func connectorOffAndOn() throws {
        guard let path = getenv("TOUCHLINE_CONNECTOR").map({ String(cString: $0) }) else {
            print("SKIP: TOUCHLINE_CONNECTOR is not set: no cable was pulled")
            return
        }
        func set(_ status: String) throws {
            let file = try #require(fopen(path, "w"))
            fputs(status, file)
            fclose(file)
        }
        let output = try KMSOutput(size: PixelSize(width: 1_280, height: 720)) {}
        var shade = UInt8(0)
        func play(until isDone: () -> Bool) -> Nanoseconds? {
            let start = SystemClock.monotonic()
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
        for round in 1...5 {
            try set("on")
            let on = play { output.screen?.connector != nil }
            let flips = output.screen?.counters.flips ?? 0
            let flipped = play { (output.screen?.counters.flips ?? 0) >= flips + 50 }
            try set("off")
            let off = play { output.screen?.connector == nil }
            let line = [on, flipped, off].map { $0.map { "\($0.milliseconds) ms" } ?? "never" }
            print("round \(round): on after \(line[0]), 50 flips in \(line[1]), off after \(line[2])")
            #expect(on != nil && flipped != nil && off != nil)
        }
        try set("detect")
        #expect(play { output.screen?.connector != nil } != nil)
        print(output.screen as Any)
    }
}
