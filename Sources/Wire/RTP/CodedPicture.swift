// SPDX-License-Identifier: Apache-2.0

/// A picture that is being assembled: NAL units in annex B form, or MPEG video as it is.
struct CodedPicture: Sendable {
    private static let startCode: [UInt8] = [0, 0, 0, 1]
    private static let mostParameterOctets = 64 << 10
    /// Number of pictures after which announced parameter sets come again, for streams without entry points. It is longer
    /// than the groups of other streams, since what begins with parameter sets is taken for a good place to begin.
    private static let announcedPeriod = 500

    private(set) var bytes: [UInt8] = []
    /// Description of the picture; nil between pictures.
    private(set) var unit: RTPUnit?
    var hasSlice = false
    /// Whether it has no slice yet, so that its units may belong to the next picture.
    var isPreface: Bool { !hasSlice && !isOversized && !isDamaged }
    /// Whether it exceeded the limit; nothing of it is kept then.
    private(set) var isOversized = false

    private let limit: Int
    /// The parameter sets without which no picture can be decoded.
    private let neededSets: NALSyntax.ParameterSets
    /// The parameter sets announced in SDP, in annex B form.
    private let announced: [UInt8]
    private let announcedSets: NALSyntax.ParameterSets
    /// The parameter sets that the stream sent before this picture; those in the picture are in `sets`.
    private var sentSets: NALSyntax.ParameterSets = []
    /// Pictures that were delivered since announced parameter sets were inserted.
    private var picturesWithout = announcedPeriod
    private var sets: NALSyntax.ParameterSets = []
    private var hasEntrySlice = false
    /// Whether it has supplemental information, which may be that of a recovery point.
    private var hasInformation = false
    /// Offset after the access unit delimiter, where announced parameter sets are inserted.
    private var prefaceStart = 0

    /// A picture of MPEG video, which has its parameters in the stream.
    init(limit: Int) {
        self.limit = limit
        neededSets = []
        announced = []
        announcedSets = []
    }

    init(_ syntax: NALSyntax, parameterSets: [[UInt8]], limit: Int) {
        self.limit = limit
        neededSets = syntax.neededSets
        var octets: [UInt8] = []
        var announcedSets: NALSyntax.ParameterSets = []
        for set in parameterSets {
            guard let header = set.first, case .parameters(let kind) = syntax.role(header),
                octets.count + set.count + 4 <= min(Self.mostParameterOctets, limit)
            else { continue }
            octets += Self.startCode + set
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
        if hasRoom(for: Self.startCode.count) { bytes.append(contentsOf: Self.startCode) }
    }

    /// Ends the NAL unit that was started; it is complete.
    mutating func endUnit(_ role: NALSyntax.Role) {
        switch role {
        case .slice(let isEntry):
            hasSlice = true
            if isEntry { hasEntrySlice = true }
        case .information: hasInformation = true
        case .parameters(let kind): sets.formUnion(kind)
        case .delimiter where bytes.count <= 8: prefaceStart = bytes.count  // it is the first unit
        case .delimiter, .filler, .preface, .other: break
        }
    }

    mutating func append(_ octet: UInt8) {
        if hasRoom(for: 1) { bytes.append(octet) }
    }

    mutating func append(_ range: Range<Int>, of source: UnsafeRawBufferPointer) {
        if hasRoom(for: range.count) { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[range])) }
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
        hasEntrySlice = false
        hasInformation = false
        sets = []
        prefaceStart = 0
    }

    /// The description to deliver with `bytes`. If the stream sends no parameter sets, the announced ones are inserted
    /// where decoding can begin well, in the first picture, and in each after `announcedPeriod`.
    mutating func finished() -> RTPUnit? {
        sentSets.formUnion(sets)
        var known = sentSets
        let mayBegin = hasEntrySlice || hasInformation || picturesWithout >= Self.announcedPeriod
        if mayBegin, !known.isSuperset(of: neededSets), bytes.count + announced.count <= limit {
            bytes.insert(contentsOf: announced, at: prefaceStart)
            known.formUnion(announcedSets)
            picturesWithout = 0
        }
        picturesWithout += 1
        unit?.isRandomAccess = hasEntrySlice && known.isSuperset(of: neededSets)
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
