// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The parameter sets that a stream sent last, for a decoder that begins with a picture behind them. Allocates nothing once
/// it has seen the longest.
public struct SentParameterSets: Sendable {
    /// Octets. Longer ones are not kept.
    private static let most = 64 << 10

    private var octets: [UInt8] = []

    public init() {}

    /// Keeps the sets of a picture that brings all it needs, and forgets those before.
    /// - Parameter picture: a picture as `PictureAssembler` emits it.
    public mutating func keep(_ codec: StreamCodec, of picture: UnsafeRawBufferPointer) {
        forget()
        switch codec {
        case .h264:
            keepUnits(of: picture, until: { (NALUnit.Kind.slice...NALUnit.Kind.idrSlice).contains($0.type) }) {
                $0.type == NALUnit.Kind.sequenceParameters || $0.type == NALUnit.Kind.pictureParameters
            }
        case .hevc:
            keepUnits(of: picture, until: { $0.hevcType <= NALUnit.HEVCKind.lastSlice }) {
                (NALUnit.HEVCKind.videoParameters...NALUnit.HEVCKind.pictureParameters).contains($0.hevcType)
            }
        case .mpeg1Video, .mpeg2Video: keepSequence(of: picture)
        default: break
        }
        if octets.count > Self.most { forget() }
    }

    public mutating func forget() { octets.removeAll(keepingCapacity: true) }

    /// A picture of the same stream with the sets before it.
    public func before(_ picture: UnsafeRawBufferPointer) -> [UInt8] { octets + picture }

    private mutating func keepUnits(
        of picture: UnsafeRawBufferPointer, until isSlice: (NALUnit) -> Bool, where isSet: (NALUnit) -> Bool
    ) {
        for unit in NALUnits(picture) {
            if isSlice(unit) { return }
            if isSet(unit) {
                octets.append(contentsOf: UnsafeRawBufferPointer(rebasing: picture[unit.start..<unit.range.upperBound]))
            }
        }
    }

    /// A sequence header and what extends it, up to the group or the picture.
    private mutating func keepSequence(of picture: UnsafeRawBufferPointer) {
        var (code, start) = (StartCode.offset(in: picture, from: 0), picture.count)
        while code + 3 < picture.count {
            switch picture[code + 3] {
            case MPEGStartCode.sequence: start = min(start, code)
            case MPEGStartCode.group, MPEGStartCode.picture:
                guard start < code else { return }
                octets.append(contentsOf: UnsafeRawBufferPointer(rebasing: picture[start..<code]))
                return
            default: break
            }
            code = StartCode.offset(in: picture, from: code + 3)
        }
    }
}
