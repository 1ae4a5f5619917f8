// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The content of each PES packet of a stream.
enum PESContent: Sendable {
    /// One unit of any form.
    case unit
    /// One picture of FWHT.
    case fwht
    /// Opus packets one after another; the time stamp is that of the first.
    case opus

    init(_ codec: StreamCodec?) {
        switch codec {
        case .fwht: self = .fwht
        case .opus: self = .opus
        default: self = .unit
        }
    }

    /// - Parameter unit: describes the whole PES packet.
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
