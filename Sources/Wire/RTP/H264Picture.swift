// SPDX-License-Identifier: Apache-2.0

/// A picture being put together, in annex B form.
struct H264Picture: Sendable {
    private static let startCode: [UInt8] = [0, 0, 0, 1]
    /// Without which no picture can be decoded.
    private static let needed: Set = [H264NAL.sequenceParameters, H264NAL.pictureParameters]
    private static let mostParameterOctets = 64 << 10

    private(set) var bytes: [UInt8] = []
    /// Nil between pictures.
    private(set) var unit: RTPUnit?
    private(set) var hasSlice = false
    /// It lacks slices and what came before may be kept for the next.
    var isPreface: Bool { !hasSlice && !isOversized && !isDamaged }
    /// It became longer than the limit, and nothing of it is kept.
    private(set) var isOversized = false

    private let limit: Int
    /// Those announced beside the stream, in annex B form.
    private let announced: [UInt8]
    private let announcedTypes: Set<UInt8>
    /// Those that the stream sent itself, up to this picture and in it.
    private var sentTypes: Set<UInt8> = []
    private var types: Set<UInt8> = []
    private var hasIDR = false
    /// Behind the access unit delimiter; where announced parameter sets belong.
    private var prefaceStart = 0

    init(parameterSets: [[UInt8]], limit: Int) {
        self.limit = limit
        var octets: [UInt8] = []
        var announcedTypes: Set<UInt8> = []
        for set in parameterSets {
            guard let type = set.first.map({ $0 & 0x1F }),
                H264Picture.needed.contains(type),
                octets.count + set.count + 4 <= min(H264Picture.mostParameterOctets, limit)
            else { continue }
            octets += H264Picture.startCode + set
            announcedTypes.insert(type)
        }
        announced = octets
        self.announcedTypes = announcedTypes
    }

    /// False between pictures, and stays so.
    var isDamaged: Bool {
        get { unit?.isDamaged ?? false }
        set { unit?.isDamaged = newValue }
    }

    mutating func begin(_ unit: RTPUnit) {
        forget()
        self.unit = unit
    }

    /// Of what came before the first slice.
    mutating func moves(to timestamp: UInt32) { unit?.timestamp = timestamp }

    mutating func startUnit() {
        if hasRoom(for: H264Picture.startCode.count) { bytes.append(contentsOf: H264Picture.startCode) }
    }

    /// The NAL unit started is whole.
    mutating func endUnit(_ header: UInt8) {
        switch header & 0x1F {
        case H264NAL.idrSlice:
            hasIDR = true
            hasSlice = true
        case H264NAL.slices: hasSlice = true
        case H264NAL.sequenceParameters, H264NAL.pictureParameters: types.insert(header & 0x1F)
        default: break
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

    /// Drops what came from `start` on.
    mutating func truncate(to start: Int) {
        if start < bytes.count { bytes.removeSubrange(start...) }
    }

    mutating func forget() {
        bytes.removeAll(keepingCapacity: true)
        unit = nil
        hasSlice = false
        isOversized = false
        hasIDR = false
        types.removeAll(keepingCapacity: true)
        prefaceStart = 0
    }

    /// What is to be delivered with `bytes`; with the parameter sets announced when the stream sends none.
    mutating func finished() -> RTPUnit? {
        sentTypes.formUnion(types)
        let lacksSets = hasIDR && !sentTypes.isSuperset(of: H264Picture.needed)
        if lacksSets, bytes.count + announced.count <= limit { bytes.insert(contentsOf: announced, at: prefaceStart) }
        unit?.isRandomAccess = hasIDR && sentTypes.union(announcedTypes).isSuperset(of: H264Picture.needed)
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
