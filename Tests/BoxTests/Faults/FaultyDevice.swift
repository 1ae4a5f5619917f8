// SPDX-License-Identifier: Apache-2.0
import Buffers
import System
import Time

@testable import Codecs

/// A decoder of H.264 that does what a test wants.
final class FaultyDevice: Sendable {
    enum Mode: Sendable, Equatable {
        case works
        /// Takes units and gives no pictures.
        case swallows
        /// Does not return from a call while it is in this mode.
        case hangs
        case fails
        /// It cannot be opened, and was removed if it was open.
        case isGone
    }

    let mode = LatestValue(Mode.works)

    var inventory: DecoderInventory { .devices(["/dev/fake0"]) }

    func open() throws(DecoderFault) -> any DeviceDecoder {
        guard mode.value != .isGone else { throw .gone }
        return try LibraryDecoder { () throws(DecoderFault) in try self.admits() }
    }

    private func admits() throws(DecoderFault) -> Bool {
        while mode.value == .hangs { SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5)) }
        switch mode.value {
        case .works, .hangs: return true
        case .swallows: return false
        case .fails: throw .failed(call: "VIDIOC_QBUF", code: 5)
        case .isGone: throw .gone
        }
    }
}
