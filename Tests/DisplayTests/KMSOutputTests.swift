// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene
import Testing
import Time

@testable import Display

/// A machine has a screen or says what it lacks; either way nobody waits.
struct KMSOutputTests {
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
}
