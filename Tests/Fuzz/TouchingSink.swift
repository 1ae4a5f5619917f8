// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// Touches every octet delivered, so that the address sanitizer sees a wrong range.
struct TouchingSink: AccessUnitSink {
    var sum: UInt64 = 0
    var octets = 0

    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        octets += bytes.count
        for octet in bytes { sum &+= UInt64(octet) }
    }

    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) { videoUnit(unit, in: bytes) }

    mutating func timelineTold(_ mark: TimelineMark) {
        precondition(mark.timestamp.timescale > 0 && mark.pts < 1 << 33)
    }

    mutating func programChanged(_ program: Program?) {
        guard let program else { return }
        precondition(program.video == nil || program.video?.pid != program.audio?.pid)
    }
}
