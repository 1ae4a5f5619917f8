// SPDX-License-Identifier: Apache-2.0
import Venue

/// What plays: from what arrives to what is decoded.
extension ChainDiagnosis {
    /// Seconds after its opening in which a session need not show a picture.
    private static let patience: Int64 = 5
    /// Lost packets per million after repair, from which on pictures suffer much, and from which on they do now and then.
    private static let muchLoss: Int64 = 10_000
    private static let someLoss: Int64 = 500

    /// The worst finding of all sessions; of equal ones the first.
    private static func worst(
        _ sessions: [Evidence.Session], _ link: ChainLink, _ judge: (Evidence.Session) -> LinkFinding
    ) -> LinkFinding {
        let findings = sessions.map(judge)
        for state in [LinkFinding.State.broken, .doubtful, .unknown, .fine] {
            if let found = findings.first(where: { $0.state == state }) { return found }
        }
        return findings.first ?? .unused(link, "nothing is tuned")
    }

    // MARK: Stream

    static func stream(_ sessions: [Evidence.Session]?) -> LinkFinding {
        guard let sessions else { return .unknown(.stream, "what is tuned is not known") }
        return worst(sessions, .stream, stream)
    }

    private static func stream(_ session: Evidence.Session) -> LinkFinding {
        let name = session.name
        if let failure = session.failure {
            return .broken(
                .stream, "\(name) cannot be played: \(failure)", try: "tune another channel, or mend this one")
        }
        guard let address = session.address else { return .fine(.stream, "the file \(name) plays") }
        let place = "\(name) (\(address))"
        if let absence = session.absence, let advice = advice(for: absence, address) {
            return .broken(.stream, "\(place): \(absence.text)", try: advice)
        }
        guard session.isRunning else { return .fine(.stream, "\(place) is paused") }
        guard session.span > 0, let reception = session.reception else {
            return .unknown(.stream, "\(place) was opened \(session.age) s ago")
        }
        guard reception.datagrams > 0 else {
            guard session.age >= patience else {
                return .unknown(.stream, "\(place) was opened \(session.age) s ago")
            }
            return .broken(
                .stream, "\(place): \(PictureAbsence.nothingArrives.text)",
                try: advice(for: .nothingArrives, address) ?? "")
        }
        if let senders = session.senders {
            return .doubtful(
                .stream, "\(place): two senders send at the same time: \(senders)",
                try: "stop one of them, or say which one: source of the channel")
        }
        let others = session.oddities.isEmpty ? "" : "; " + session.oddities.joined(separator: "; ")
        return .fine(.stream, "\(place): \(reception.datagrams / session.span) packets a second\(others)")
    }

    /// nil if another link is to blame for it.
    private static func advice(for absence: PictureAbsence, _ address: String) -> String? {
        switch absence {
        case .nothingArrives: "check that the head-end sends to \(address), and that IGMP snooping lets it through"
        case .otherPayloadType: "announce the payload type that is sent, or send the one that is announced"
        case .noTransportStream: "send what is announced: see encapsulation of the channel"
        case .noProgram: "check the multiplexer of the head-end: PAT and PMT"
        case .programMissing: "choose one that it has: touchline program, or program of the channel"
        case .scrambled: "send it in the clear; the box has no descrambler"
        case .noEntryPoint: "have the encoder send random-access points, at least one in two seconds"
        case .noParameterSets: "have the encoder repeat its parameter sets with each random-access point"
        case .heldBack: "have the encoder send random-access points, or set playback.damage to show"
        case .codec, .loss, .undecodable: nil
        }
    }

    // MARK: Repair

    static func repair(_ sessions: [Evidence.Session]?) -> LinkFinding {
        guard let sessions else { return .unknown(.repair, "what is tuned is not known") }
        let live = sessions.filter { $0.address != nil && $0.failure == nil }
        guard !live.isEmpty else { return .unused(.repair, "no channel is received") }
        return worst(live, .repair, repair)
    }

    private static func repair(_ session: Evidence.Session) -> LinkFinding {
        guard session.span > 0, let reception = session.reception, reception.datagrams > 0 else {
            return .unknown(.repair, "\(session.name): nothing was received yet")
        }
        let sent = reception.datagrams &+ reception.lost
        let (after, before) = (ppm(reception.lost, of: sent), ppm(reception.lostBeforeRepair, of: sent))
        let name = session.name
        guard after >= someLoss else {
            let kind =
                switch reception.repair {
                case .none: "no repair"
                case .windows: "repaired by windows"
                case .parity: "repaired by parity"
                }
            let jitter = reception.peakJitter > 0 ? ", jitter \(reception.peakJitter / 1_000) ms" : ""
            return .fine(
                .repair, "\(name): \(share(Int(before))) lost, \(share(Int(after))) after repair (\(kind))\(jitter)")
        }
        let isOwn = reception.lostToKernel > reception.lost / 2
        let found =
            reception.repair == .none
            ? "\(name) loses \(share(Int(after))) of its packets, and nothing repairs them"
            : "\(name) loses \(share(Int(after))) of its packets after repair, \(share(Int(before))) before"
        let advice =
            isOwn
            ? "the box drops them itself: play fewer or smaller channels"
            : reception.repair == .none
                ? "look for the loss at radio, cable and switch (touchline interfaces), or send repair with the channel"
                : "look for the loss at radio, cable and switch (touchline interfaces), or send more repair"
        return after >= muchLoss
            ? .broken(.repair, found, try: advice) : .doubtful(.repair, found, try: advice)
    }

    private static func ppm(_ count: Int64, of sum: Int64) -> Int64 {
        guard sum > 0, count > 0 else { return 0 }
        let (product, isTooLarge) = count.multipliedReportingOverflow(by: 1_000_000)
        return isTooLarge ? 1_000_000 : min(1_000_000, product / sum)
    }

    // MARK: Decoder

    static func decoder(_ sessions: [Evidence.Session]?) -> LinkFinding {
        guard let sessions else { return .unknown(.decoder, "what is tuned is not known") }
        let open = sessions.filter { $0.failure == nil }
        guard !open.isEmpty else { return .unused(.decoder, "nothing is tuned") }
        return worst(open, .decoder, decoder)
    }

    private static func decoder(_ session: Evidence.Session) -> LinkFinding {
        let name = session.name
        switch session.absence {
        case .codec?:
            return .broken(
                .decoder, "\(name): \(session.absence?.text ?? "")",
                try: "send a codec that touchline decoders lists")
        case .undecodable?:
            return .broken(
                .decoder, "\(name): \(PictureAbsence.undecodable.text)",
                try: "set playback.decoding to auto; see touchline decoders, and log --kernel")
        default: break
        }
        if let video = session.unplayedVideo {
            return .broken(
                .decoder, "\(name): \(PictureAbsence.codec(video).text)",
                try: "send a codec that touchline decoders lists")
        }
        guard session.hasPictures else { return .unused(.decoder, "\(name) has sound alone") }
        guard session.isRunning else { return .unused(.decoder, "\(name) is paused") }
        guard session.span > 0, let decoding = session.decoding, decoding.units > 0 else {
            return .unknown(.decoder, "\(name): no picture has come yet")
        }
        let errors = "\(name): \(decoding.errors) errors in \(decoding.units) pictures"
        let isLossy = (session.reception?.lost ?? 0) > 0
        if decoding.pictures == 0, session.lacksPicture, session.age >= patience {
            return .broken(
                .decoder, "\(name): \(decoding.units) pictures came, and none was decoded",
                try: "set playback.decoding to auto; see touchline decoders, and log --kernel")
        }
        if decoding.restarts > 0 {
            return .doubtful(
                .decoder, "\(name): the decoder was replaced \(decoding.restarts) times, because it failed or hung",
                try: "see touchline decoders, and log --kernel")
        }
        if decoding.ladderStep >= 3 {
            return .doubtful(
                .decoder, "\(name) is too much for the box: pictures are left out (step \(decoding.ladderStep))",
                try: "send it smaller, or in a codec that a device of the box decodes (touchline decoders)")
        }
        // What was lost on the way is damaged here, and is no fault of the decoder.
        if !isLossy, decoding.errors > decoding.units / 10 {
            return .doubtful(.decoder, errors, try: "look at the encoder; compare with playback.decoding software")
        }
        let rate = decoding.pictures / session.span
        return .fine(.decoder, "\(name): \(rate) pictures a second by \(tier(decoding.tier))")
    }

    private static func tier(_ number: Int64) -> String {
        switch number {
        case 1: "the processor"
        case 2: "a device"
        default: "nothing yet"
        }
    }
}
