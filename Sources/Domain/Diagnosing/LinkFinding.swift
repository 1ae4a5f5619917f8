// SPDX-License-Identifier: Apache-2.0
import Shapes

/// What was found of one link of the chain.
public struct LinkFinding: Hashable, Answer {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case fine
        /// Nothing can be seen or heard because of it, or not well.
        case broken
        /// It works, and something about it is not as it should be.
        case doubtful
        /// It cannot be observed, or not yet. It is never blamed.
        case unknown
        /// The settings do without it, or nothing is tuned.
        case unused = "not used"
    }

    public let link: ChainLink
    public let state: State
    /// What was found, with the figures; no full stop.
    public let found: String
    /// What to try; nil if there is nothing to be done.
    public let advice: String?

    private init(_ link: ChainLink, _ state: State, _ found: String, _ advice: String?) {
        (self.link, self.state, self.found, self.advice) = (link, state, found, advice)
    }

    static func fine(_ link: ChainLink, _ found: String) -> LinkFinding { LinkFinding(link, .fine, found, nil) }
    static func unknown(_ link: ChainLink, _ found: String) -> LinkFinding { LinkFinding(link, .unknown, found, nil) }
    static func unused(_ link: ChainLink, _ found: String) -> LinkFinding { LinkFinding(link, .unused, found, nil) }
    static func broken(_ link: ChainLink, _ found: String, try advice: String) -> LinkFinding {
        LinkFinding(link, .broken, found, advice)
    }
    static func doubtful(_ link: ChainLink, _ found: String, try advice: String) -> LinkFinding {
        LinkFinding(link, .doubtful, found, advice)
    }

    public static let shape = Shape<Self>([
        .value("link", \.link.rawValue, .choice(ChainLink.allCases.map(\.rawValue)), "of the chain"),
        .value(
            "state", \.state.rawValue, .choice(State.allCases.map(\.rawValue)),
            "fine, broken, doubtful, unknown, or not used by these settings"),
        .value("found", \.found, .text, "what was found"),
        .detail("try", \.advice, .optional(.text), "what to try, or null"),
    ])
}
