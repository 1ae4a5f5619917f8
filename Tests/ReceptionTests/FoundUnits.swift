// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// What a demultiplexer finds in a history.
struct FoundUnits: AccessUnitSink {
    struct Unit: Equatable {
        let pts: UInt64?
        let octets: Int
        let isRandomAccess: Bool
        let isDamaged: Bool
    }

    var video: [Unit] = []
    var audio: [Unit] = []

    var program: Program?

    mutating func programChanged(_ program: Program?) { self.program = program }
    mutating func eventsChanged(_ events: PresentFollowing) {}
    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        video.append(
            Unit(
                pts: unit.pts, octets: bytes.count, isRandomAccess: unit.isRandomAccess, isDamaged: unit.isDamaged))
    }
    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        audio.append(
            Unit(pts: unit.pts, octets: bytes.count, isRandomAccess: true, isDamaged: unit.isDamaged))
    }
}
