// SPDX-License-Identifier: Apache-2.0

/// A picture that is being assembled, in annex B form.
struct H264Picture: Sendable {
    /// The parameter sets that every picture needs.
    private struct ParameterSets: OptionSet, Sendable {
        let rawValue: UInt8
        static let sequence = ParameterSets(rawValue: 1)
        static let picture = ParameterSets(rawValue: 2)
        static let all: ParameterSets = [.sequence, .picture]

        /// The kind of parameter set; empty for any other NAL unit.
        init(_ header: UInt8) {
            switch header & 0x1F {
            case H264NAL.sequenceParameters: self = .sequence
            case H264NAL.pictureParameters: self = .picture
            default: self = []
            }
        }

        init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    private static let startCode: [UInt8] = [0, 0, 0, 1]
    private static let mostParameterOctets = 64 << 10

    private(set) var bytes: [UInt8] = []
    /// Description of the picture; nil between pictures.
    private(set) var unit: RTPUnit?
    private(set) var hasSlice = false
    /// Whether it has no slice yet, so that its units may belong to the next picture.
    var isPreface: Bool { !hasSlice && !isOversized && !isDamaged }
    /// Whether it exceeded the limit; nothing of it is kept then.
    private(set) var isOversized = false

    private let limit: Int
    /// The parameter sets announced in SDP, in annex B form.
    private let announced: [UInt8]
    private let announcedSets: ParameterSets
    /// The parameter sets that the stream sent before this picture; those in the picture are in `sets`.
    private var sentSets: ParameterSets = []
    private var sets: ParameterSets = []
    private var hasIDR = false
    /// Whether it has supplemental information, which may be that of a recovery point.
    private var hasSEI = false
    /// Offset after the access unit delimiter, where announced parameter sets are inserted.
    private var prefaceStart = 0

    init(parameterSets: [[UInt8]], limit: Int) {
        self.limit = limit
        var octets: [UInt8] = []
        var announcedSets: ParameterSets = []
        for set in parameterSets {
            let kind = ParameterSets(set.first ?? 0)
            guard !kind.isEmpty, octets.count + set.count + 4 <= min(H264Picture.mostParameterOctets, limit)
            else { continue }
            octets += H264Picture.startCode + set
            announcedSets.formUnion(kind)
        }
        announced = octets
        self.announcedSets = announcedSets
    }

    /// Whether parts are missing. Between pictures it is false, and setting it has no effect.
    var isDamaged: Bool {
        get { unit?.isDamaged ?? false }
        set { unit?.isDamaged = newValue }
    }

    mutating func begin(_ unit: RTPUnit) {
        forget()
        self.unit = unit
    }

    /// Changes the time stamp of units before the first slice.
    mutating func moves(to timestamp: UInt32) { unit?.timestamp = timestamp }

    mutating func startUnit() {
        if hasRoom(for: H264Picture.startCode.count) { bytes.append(contentsOf: H264Picture.startCode) }
    }

    /// Ends the NAL unit that was started; it is complete.
    mutating func endUnit(_ header: UInt8) {
        switch header & 0x1F {
        case H264NAL.idrSlice:
            hasIDR = true
            hasSlice = true
        case H264NAL.slices: hasSlice = true
        case H264NAL.sei: hasSEI = true
        default: sets.formUnion(ParameterSets(header))
        }
    }

    mutating func append(_ octet: UInt8) {
        if hasRoom(for: 1) { bytes.append(octet) }
    }

    mutating func append(_ range: Range<Int>, of source: UnsafeRawBufferPointer) {
        guard hasRoom(for: range.count) else { return }
        let isDelimiter = bytes.count == 4 && source[range.lowerBound] & 0x1F == H264NAL.delimiter
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[range]))
        if isDelimiter { prefaceStart = bytes.count }
    }

    /// Drops the octets from `start` on.
    mutating func truncate(to start: Int) {
        if start < bytes.count { bytes.removeSubrange(start...) }
    }

    mutating func forget() {
        bytes.removeAll(keepingCapacity: true)
        unit = nil
        hasSlice = false
        isOversized = false
        hasIDR = false
        hasSEI = false
        sets = []
        prefaceStart = 0
    }

    /// The description to deliver with `bytes`. Inserts the announced parameter sets if the stream sends none.
    mutating func finished() -> RTPUnit? {
        sentSets.formUnion(sets)
        var known = sentSets
        if hasIDR || hasSEI, known != .all, bytes.count + announced.count <= limit {
            bytes.insert(contentsOf: announced, at: prefaceStart)
            known.formUnion(announcedSets)
        }
        unit?.isRandomAccess = hasIDR && known == .all
        return unit
    }

    private mutating func hasRoom(for count: Int) -> Bool {
        if bytes.count + count > limit {
            isOversized = true
            bytes.removeAll(keepingCapacity: true)
        }
        return !isOversized
    }
}
