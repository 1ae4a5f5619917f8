// SPDX-License-Identifier: Apache-2.0

/// Properties of a coded picture that its data show without decoding.
struct PictureContent: Equatable {
    /// Parameter sets that a decoder needs before a picture.
    struct ParameterSets: OptionSet, Sendable {
        let rawValue: UInt8
        static let video = ParameterSets(rawValue: 1)
        static let sequence = ParameterSets(rawValue: 2)
        static let picture = ParameterSets(rawValue: 4)
    }

    var parameterSets: ParameterSets = []
    /// Whether a decoder that has the parameter sets and begins here shows this picture correctly.
    var isEntryPoint = false

    init() {}

    /// - Parameter bytes: one picture as `PictureAssembler` emits it.
    init(_ codec: StreamCodec, _ bytes: UnsafeRawBufferPointer) {
        switch codec {
        case .h264: self.init(h264: bytes)
        case .hevc: self.init(hevc: bytes)
        case .mpeg1Video, .mpeg2Video: self.init(mpeg: bytes)
        case .fwht: self.init(fwht: bytes)
        default: self.init()
        }
    }

    /// Whether a decoder that has the parameter sets `known` can begin with this picture.
    func isRandomAccess(_ codec: StreamCodec, known: ParameterSets) -> Bool {
        switch codec {
        case .h264: isEntryPoint && known.isSuperset(of: [.sequence, .picture])
        case .hevc: isEntryPoint && known.isSuperset(of: [.video, .sequence, .picture])
        default: isEntryPoint
        }
    }

    private init(h264 bytes: UnsafeRawBufferPointer) {
        let unit = H264AccessUnit.inspect(bytes)
        if unit.hasSPS { parameterSets.insert(.sequence) }
        if unit.hasPPS { parameterSets.insert(.picture) }
        isEntryPoint = unit.isRandomAccess
    }

    /// Any IRAP picture is an entry point: a decoder that begins there skips the leading pictures that it cannot show.
    private init(hevc bytes: UnsafeRawBufferPointer) {
        for unit in NALUnits(bytes)
        where unit.header & 1 == 0 && unit.range.count > 1 && bytes[unit.range.lowerBound + 1] >> 3 == 0 {
            switch unit.hevcType {
            case NALUnit.HEVCKind.videoParameters: parameterSets.insert(.video)
            case NALUnit.HEVCKind.sequenceParameters: parameterSets.insert(.sequence)
            case NALUnit.HEVCKind.pictureParameters: parameterSets.insert(.picture)
            case NALUnit.HEVCKind.randomAccess: isEntryPoint = true
            default: break
            }
        }
    }

    /// A complete intra picture is an entry point.
    private init(fwht bytes: UnsafeRawBufferPointer) {
        guard let header = try? FWHTHeader(bytes) else { return }  // an unreadable picture is no entry point
        isEntryPoint = header.isIntra && bytes.count >= FWHTHeader.octets + Int(header.size)
    }

    /// An I picture after a sequence header is an entry point. The decoder skips pictures of an open group that are
    /// displayed before it.
    private init(mpeg bytes: UnsafeRawBufferPointer) {
        var code = NALUnits.startCode(in: bytes, from: 0)
        while code + 5 < bytes.count {
            switch bytes[code + 3] {
            case MPEGStartCode.sequence: parameterSets.insert(.sequence)
            case MPEGStartCode.picture:
                // The first picture header decides: the second field of an I picture may be predicted from the first.
                isEntryPoint = parameterSets.contains(.sequence) && bytes[code + 5] >> 3 & 7 == 1
                return
            default: break
            }
            code = NALUnits.startCode(in: bytes, from: code + 3)
        }
    }
}
