// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene
import Testing
import Time

@testable import Display

/// A machine has a screen or says what it lacks; either way nobody waits.
struct KMSOutputTests {
    @Test func showsOrSaysWhyNot() {
        do throws(DisplayError) {
            let output = try KMSOutput(size: PixelSize(width: 640, height: 360))
            for shade in UInt8(0)..<10 {
                output.compose { $0.fill(blue: shade, green: 0, red: 0) }
                _ = output.present(now: Monotonic(nanoseconds: 0))
                #expect(output.fault == nil)
            }
            var blue: UInt8?
            _ = output.readFront { blue = $0.bytes[0] }
            #expect(blue == 9)
        } catch {
            print("SKIP: \(error): no picture was flipped")
            #expect(error.description.hasSuffix("is missing"), "\(error)")
        }
    }

    @Test func whatIsNoCard() {
        #expect(throws: DisplayError.kms("open /dev/dri/none", code: ENOENT)) {
            _ = try KMSCard(opening: "/dev/dri/none")
        }
        #expect(throws: DisplayError.missing("dumb buffers of /dev/null")) { _ = try KMSCard(opening: "/dev/null") }
    }
}
