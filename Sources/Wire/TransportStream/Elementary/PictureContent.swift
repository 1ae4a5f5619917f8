// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Properties of a coded picture that its data show without decoding.
public struct PictureContent: Equatable {
    /// Parameter sets that a decoder needs before a picture.
    struct ParameterSets: OptionSet, Sendable {
        let rawValue: UInt8
        static let video = ParameterSets(rawValue: 1)
        static let sequence = ParameterSets(rawValue: 2)
        static let picture = ParameterSets(rawValue: 4)
    }

    var parameterSets: ParameterSets = []
    /// Whether a decoder that has the parameter sets and begins here shows this picture correctly.
    public private(set) var isEntryPoint = false
    /// Number of pictures after which such a decoder shows them correctly, as a recovery point message says; nil without.
    public private(set) var recovery: Int?
    /// Whether a decoder that has the parameter sets can begin here.
    public var isEntry: Bool { isEntryPoint || recovery != nil }

    init() {}

    /// - Parameter bytes: one picture as `PictureAssembler` emits it.
    public init(_ codec: StreamCodec, _ bytes: UnsafeRawBufferPointer) {
        switch codec {
        case .h264: self.init(h264: bytes)
        case .hevc: self.init(hevc: bytes)
        case .mpeg1Video, .mpeg2Video: self.init(mpeg: bytes)
        case .fwht: self.init(fwht: bytes)
        default: self.init()
        }
    }

    /// Number of pictures after which a decoder that has the parameter sets `known` and begins here shows them correctly;
    /// nil if it cannot begin.
    func recovery(_ codec: StreamCodec, known: ParameterSets) -> Int? {
        guard Self.areComplete(known, for: codec) else { return nil }
        return isEntryPoint ? 0 : recovery
    }

    /// Whether `known` are all that a picture needs.
    static func areComplete(_ known: ParameterSets, for codec: StreamCodec) -> Bool {
        switch codec {
        case .h264: known.isSuperset(of: [.sequence, .picture])
        case .hevc: known.isSuperset(of: [.video, .sequence, .picture])
        case .mpeg1Video, .mpeg2Video: known.contains(.sequence)
        default: true
        }
    }

    private init(h264 bytes: UnsafeRawBufferPointer) {
        let unit = H264AccessUnit.inspect(bytes)
        if unit.hasSPS { parameterSets.insert(.sequence) }
        if unit.hasPPS { parameterSets.insert(.picture) }
        isEntryPoint = unit.isRandomAccess
        recovery = unit.recoveryFrameCount
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
            case NALUnit.HEVCKind.sei where recovery == nil:
                // A message that cannot be read counts as none.
                recovery = (try? Self.recoveryPictureCount(bytes, in: unit.range.dropFirst(2))) ?? nil
            default: break
            }
        }
    }

    /// recovery_poc_cnt, which is negative when an earlier picture is correct already.
    private static func recoveryPictureCount(
        _ bytes: UnsafeRawBufferPointer, in range: Range<Int>
    ) throws(WireError) -> Int? {
        var reader = try RecoveryPoint.reader(bytes, in: range)
        guard let count = try reader?.signed() else { return nil }
        return Int(min(max(0, count), 65_535))
    }

    /// A complete intra picture is an entry point.
    private init(fwht bytes: UnsafeRawBufferPointer) {
        guard let header = try? FWHTHeader(bytes) else { return }  // an unreadable picture is no entry point
        isEntryPoint = header.isIntra && bytes.count >= FWHTHeader.octets + Int(header.size)
    }

    /// An I picture after a sequence header is an entry point. The decoder skips pictures of an open group that are
    /// displayed before it.
    private init(mpeg bytes: UnsafeRawBufferPointer) {
        var code = StartCode.offset(in: bytes, from: 0)
        while code + 5 < bytes.count {
            switch bytes[code + 3] {
            case MPEGStartCode.sequence: parameterSets.insert(.sequence)
            case MPEGStartCode.picture:
                // The first picture header decides: the second field of an I picture may be predicted from the first.
                isEntryPoint = parameterSets.contains(.sequence) && bytes[code + 5] >> 3 & 7 == 1
                return
            default: break
            }
            code = StartCode.offset(in: bytes, from: code + 3)
        }
    }
}
