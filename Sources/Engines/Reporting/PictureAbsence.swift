// SPDX-License-Identifier: Apache-2.0

/// Why a channel that is tuned shows no picture, in the words of a network engineer.
public enum PictureAbsence: Hashable, Sendable {
    case nothingArrives
    /// RTP arrives, of a payload type that was not announced.
    case otherPayloadType
    case noTransportStream
    /// A transport stream arrives, and neither PAT nor PMT of the program that is to be played.
    case noProgram
    /// The transport stream has other programs than the one that is to be played.
    case programMissing(String, listed: String)
    case scrambled
    /// - Parameter names: the streams that the box cannot play.
    case codec(String)
    case loss(percent: Int64)
    /// Pictures arrive, and none with which decoding can begin.
    case noEntryPoint
    case undecodable

    /// Continues a sentence that names the channel.
    public var text: String {
        switch self {
        case .nothingArrives: "nothing arrives from the network"
        case .otherPayloadType: "its packets have an RTP payload type that was not announced"
        case .noTransportStream: "its packets hold no stream of the announced kind"
        case .noProgram: "its transport stream has no PAT and PMT of a program"
        case .programMissing(let program, let listed):
            "its transport stream has no program \(program); it has \(listed)"
        case .scrambled: "it is scrambled"
        case .codec(let names): "the box cannot decode \(names)"
        case .loss(let percent): "\(percent) % of its packets are lost"
        case .noEntryPoint: "no picture has come with which decoding can begin"
        case .undecodable: "its pictures cannot be decoded"
        }
    }
}

/// What was counted of a channel and of the session that plays it.
public struct ChannelEvidence: Hashable, Sendable {
    // Reception, since the channel is received.
    public var datagrams: Int64 = 0
    public var otherPayloadType: Int64 = 0
    public var transportPackets: Int64 = 0
    public var lostPackets: Int64 = 0
    // Playback, since the session was opened.
    public var scrambledPackets: Int64 = 0
    public var videoUnits: Int64 = 0
    public var unitsSkipped: Int64 = 0
    public var picturesDecoded: Int64 = 0
    /// The program that is to be played and that the stream does not list; nil otherwise.
    public var missingProgram: String?
    /// Numbers and names of the programs that the stream lists.
    public var listedPrograms = ""
    /// Whether the streams of the program are known.
    public var isProgramKnown = false
    /// The streams that the box cannot play.
    public var unsupported: [String] = []

    public init() {}
}

/// Finds out why a session shows no picture, from what was counted within the last few seconds.
public struct PictureAbsenceMonitor: Sendable {
    /// Number of observations that are compared: the newest with the oldest of them.
    private static let depth = 4
    /// From this share of lost packets on, parts per million, loss is the reason.
    private static let muchLossPPM: Int64 = 10_000

    private var looks: [ChannelEvidence] = []

    public init() {}

    /// To be called once a second while the session shows no picture.
    /// - Returns: nil if nothing speaks for a fault, or too little is known yet.
    public mutating func observe(_ evidence: ChannelEvidence) -> PictureAbsence? {
        looks.append(evidence)
        if looks.count > Self.depth { looks.removeFirst() }
        guard looks.count >= Self.depth - 1, let before = looks.first else { return nil }
        return Self.reason(evidence, since: before)
    }

    private static func reason(_ now: ChannelEvidence, since before: ChannelEvidence) -> PictureAbsence? {
        func more(_ count: KeyPath<ChannelEvidence, Int64>) -> Int64 { now[keyPath: count] - before[keyPath: count] }
        let datagrams = more(\.datagrams)
        guard datagrams > 0 else { return .nothingArrives }
        if more(\.otherPayloadType) * 2 > datagrams { return .otherPayloadType }
        guard more(\.transportPackets) > 0 else { return .noTransportStream }
        let lost = more(\.lostPackets)
        let sent = datagrams + lost
        let isLossy = lost * 1_000_000 > sent * muchLossPPM
        let loss = isLossy ? PictureAbsence.loss(percent: max(1, lost * 100 / sent)) : nil
        if let missing = now.missingProgram { return loss ?? .programMissing(missing, listed: now.listedPrograms) }
        if more(\.scrambledPackets) > 0 { return .scrambled }
        if !now.isProgramKnown { return loss ?? .noProgram }
        if now.videoUnits == 0, !now.unsupported.isEmpty { return .codec(now.unsupported.joined(separator: ", ")) }
        if let loss { return loss }
        guard more(\.videoUnits) > 0 else { return now.unsupported.isEmpty ? nil : .codec(now.unsupported[0]) }
        if more(\.unitsSkipped) == more(\.videoUnits) { return .noEntryPoint }
        return more(\.picturesDecoded) == 0 ? .undecodable : nil
    }
}
