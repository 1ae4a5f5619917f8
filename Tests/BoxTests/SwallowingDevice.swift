// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import Codecs

/// A decoder of H.264 that gives pictures of the first units that it is given, and takes all others without a word. It
/// never says that it is owing a picture, so that nobody who asks it finds the fault.
final class SwallowingDevice: Sendable {
    /// Number of units of which it gives pictures.
    private let goodUnits: Int
    private let taken = Atomic<Int>(0)
    private let opened = Atomic<Int>(0)

    init(goodUnits: Int) { self.goodUnits = goodUnits }

    /// How often it was opened.
    var openings: Int { opened.load(ordering: .relaxed) }

    var inventory: DecoderInventory { .devices(["/dev/fake0"]) }

    func open() throws(DecoderFault) -> any DeviceDecoder {
        opened.add(1, ordering: .relaxed)
        return try LibraryDecoder { () throws(DecoderFault) in
            self.taken.add(1, ordering: .relaxed).oldValue < self.goodUnits
        }
    }
}
