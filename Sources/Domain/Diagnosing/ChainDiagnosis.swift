// SPDX-License-Identifier: Apache-2.0
import Shapes

/// What was found of each link of the chain, and the sentence that names the first one that is broken.
///
/// A value without clock or I/O: equal evidence gives an equal diagnosis.
public struct ChainDiagnosis: Hashable, Answer {
    /// Who gathered the evidence.
    public enum Observer: String, Hashable, Sendable, CaseIterable {
        case service
        /// The client, because the service does not answer.
        case client
    }

    /// One for each link, in the order of causes.
    public let findings: [LinkFinding]
    public let observer: Observer

    public init(_ evidence: Evidence, by observer: Observer = .service) {
        findings = ChainLink.allCases.map { Self.judge($0, by: evidence) }
        self.observer = observer
    }

    /// The link that is blamed: the first broken one, else the first doubtful one; nil if none is.
    public var blamed: LinkFinding? {
        findings.first { $0.state == .broken } ?? findings.first { $0.state == .doubtful }
    }

    public var sentence: String {
        guard let blamed else { return healthy }
        let advice = blamed.advice.map { "; \($0)" } ?? ""
        return blamed.state == .broken
            ? "The first broken link is \(blamed.link.rawValue): \(blamed.found)\(advice)."
            : "No link is broken, but \(blamed.link.rawValue) is doubtful: \(blamed.found)\(advice)."
    }

    private var healthy: String {
        let stream = findings.first { $0.link == .stream }
        // A box that has just started may not have heard yet what there is to tune.
        if stream?.state == .unused,
            let heard = findings.first(where: { $0.link == .announcements && $0.state == .unknown })
        {
            return
                "No link is broken as far as is known yet, and nothing is tuned; announcements: \(heard.found); ask again."
        }
        switch stream?.state {
        case .unused?: return "No link is broken, and \(stream?.found ?? ""); try touchline tune CHANNEL."
        case .unknown?: return "No link is broken as far as is known yet: \(stream?.found ?? ""); ask again."
        default: return "No link is broken: \(stream?.found ?? "")."
        }
    }

    private var blamedLink: String? { blamed?.link.rawValue }

    public static let shape = Shape<Self>([
        .value("links", \.findings, .list(of: .row), "each link, causes before what follows from them"),
        .value(
            "blamed", \.blamedLink, .optional(.choice(ChainLink.allCases.map(\.rawValue))),
            "the first link that is broken, else the first that is doubtful, or null"),
        .value(
            "sentence", \.sentence, .text, shownAs: FieldDisplay(style: .conclusion),
            "which link is the first broken one, and what to try"),
        .value(
            "observer", \.observer.rawValue, .choice(Observer.allCases.map(\.rawValue)),
            "who looked: the service, or the client because the service does not answer"),
    ])

    private static func judge(_ link: ChainLink, by evidence: Evidence) -> LinkFinding {
        switch link {
        case .power: power(evidence.machine)
        case .processor: processor(evidence.machine)
        case .storage: storage(evidence.machine)
        case .service: service(evidence.service)
        case .display: display(evidence.display, evidence.machine.connectors)
        case .link: wire(evidence.network)
        case .association: association(evidence.network)
        case .address: address(evidence.network)
        case .multicast: multicast(evidence.network, evidence.announcements)
        case .announcements: announcements(evidence.announcements, evidence.network)
        case .licence: licence(evidence.licence, evidence.announcements)
        case .stream: stream(evidence.sessions)
        case .repair: repair(evidence.sessions)
        case .decoder: decoder(evidence.sessions)
        case .plane: plane(evidence.display, evidence.sessions)
        case .sound: sound(evidence.sound, evidence.sessions)
        }
    }
}
