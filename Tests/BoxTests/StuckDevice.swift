// SPDX-License-Identifier: Apache-2.0
import Buffers
import Synchronization
import System
import Time

@testable import Codecs

/// Decoders of H.264 that give pictures of the first units that they are given, and do not return from the call that
/// brings the next one, until the test lets them go or a minute is over.
final class StuckDevice: Sendable {
    private static let longestHang = Nanoseconds.seconds(60)
    private let goodUnits: Int
    private let paths: [String]
    private let taken = Atomic<Int>(0)
    private let hanging = Atomic<Int>(0)
    private let released = StopFlag()

    /// - Parameters:
    ///   - count: number of the devices.
    ///   - goodUnits: number of units of which they give pictures, all together.
    init(count: Int = 1, goodUnits: Int) {
        self.goodUnits = goodUnits
        paths = (0..<count).map { "/dev/fake\($0)" }
    }

    /// How many calls have not returned.
    var calls: Int { hanging.load(ordering: .acquiring) }

    func release() { released.raise() }

    var inventory: DecoderInventory { .devices(paths) }

    func open() throws(DecoderFault) -> any DeviceDecoder {
        try LibraryDecoder { () throws(DecoderFault) in
            self.hangIfDone()
            return true
        }
    }

    private func hangIfDone() {
        guard taken.add(1, ordering: .relaxed).oldValue >= goodUnits else { return }
        hanging.add(1, ordering: .acquiringAndReleasing)
        let end = SystemClock.monotonic() + Self.longestHang
        while !released.isRaised, SystemClock.monotonic() < end {
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
        }
        hanging.subtract(1, ordering: .acquiringAndReleasing)
    }
}
