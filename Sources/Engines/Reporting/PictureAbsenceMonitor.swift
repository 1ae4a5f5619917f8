// SPDX-License-Identifier: Apache-2.0
import Venue

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
        // A datagram of a transport stream has one packet at least. In anything else a sync byte stands by chance at times.
        guard more(\.transportPackets) * 4 > datagrams else { return .noTransportStream }
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
        if more(\.unitsWithoutParameterSets) == more(\.videoUnits) { return .noParameterSets }
        if more(\.unitsSkipped) == more(\.videoUnits) { return .noEntryPoint }
        let decoded = more(\.picturesDecoded)
        if decoded == 0 { return .undecodable }
        return more(\.picturesHeld) >= decoded ? .heldBack : nil
    }
}
