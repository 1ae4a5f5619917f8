// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

/// The decoder of `vicodec`, a kernel driver that works by the processor.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestDecoderTests {
    @Test func isThere() throws {
        let path = try #require(Guest.videoNode(named: "stateful-decoder"))
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        #expect(descriptor >= 0, "\(path)")
        close(descriptor)
    }
}
