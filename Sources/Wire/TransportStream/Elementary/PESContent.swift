// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What each PES packet of a stream holds.
enum PESContent: Sendable {
    /// Whatever it is, it is one unit.
    case unit
    /// A picture.
    case fwht
    /// Packets behind one another; the time stamp is that of the first.
    case opus

    init(_ codec: StreamCodec?) {
        switch codec {
        case .fwht: self = .fwht
        case .opus: self = .opus
        default: self = .unit
        }
    }

    /// - Parameter unit: the whole packet.
    /// - Returns: whether all of it could be read.
    func divide(
        _ unit: PESUnit, _ data: UnsafeRawBufferPointer, emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var next = unit
        do throws(WireError) {
            switch self {
            case .unit: emit(unit, data)
            case .fwht:
                _ = try FWHTHeader(data)
                next.isRandomAccess = PictureContent(.fwht, data).isEntryPoint
                emit(next, data)
            case .opus:
                var units = OpusUnits(data)
                while let range = try units.next() {
                    emit(next, UnsafeRawBufferPointer(rebasing: data[range]))
                    (next.pts, next.dts, next.isDiscontinuity) = (nil, nil, false)
                }
            }
            return true
        } catch {
            return false
        }
    }
}
