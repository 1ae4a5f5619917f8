// SPDX-License-Identifier: Apache-2.0
import Buffers

/// What one decode thread of a session works on. When its decoder hangs, the thread is left with its run, which nothing
/// else refers to, and another thread begins another one.
final class DecodingRun: Sendable {
    /// How many decode threads of the session hang.
    let hanging: Int
    let pictures: CodedPictures
    let lease = DecodeLease()
    /// What was counted before this run began, and what its thread has counted since.
    let counters: PublishedValue<DecodingCounters>
    let counted: DecodingCounters
    /// Paths of the devices that hang.
    let hungDevices: Set<String>
    /// Path of the device that is being opened or is used; nil for none.
    let device = LatestValue<String?>(nil)

    /// The first run of a session.
    init(_ pictures: CodedPictures) {
        self.pictures = pictures
        (hanging, hungDevices, counted) = (0, [], DecodingCounters())
        counters = PublishedValue(counted)
    }

    /// - Parameter old: hangs in a call of its decoder.
    init(_ pictures: CodedPictures, behind old: DecodingRun) {
        self.pictures = pictures
        hanging = old.hanging + 1
        hungDevices = old.hungDevices.union(old.device.value.map { [$0] } ?? [])
        counted = old.counters.value.behindHang
        counters = PublishedValue(counted)
    }
}
