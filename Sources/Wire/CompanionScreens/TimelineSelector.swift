// SPDX-License-Identifier: Apache-2.0
import Time

/// Which timeline of the content is meant (TS 103 286-2 clause 5.3). Every text is a selector: one that is not known,
/// or written in another than the usual way, is `other`, so that the text made of a selector is the text it was read from.
public enum TimelineSelector: Hashable, Sendable {
    /// Presentation time stamps of a transport stream, 90 kHz.
    case pts
    /// A TEMI timeline of a transport stream (ISO/IEC 13818-1 annex U). Its tick rate is told by CSS-CII only.
    case temi(componentTag: UInt8, timelineID: UInt8)
    /// Time in a Period of a DASH presentation.
    /// - period: the id of the Period; nil means the first one.
    case dashPeriod(TickRate, period: String?)
    /// Composition time of an ISO base media file, in units of its track.
    case compositionTime
    /// The BBC's extension: time since the content began.
    case elapsedTime(TickRate)
    case other(String)

    private static let standard = "urn:dvb:css:timeline:"
    private static let elapsed = "tag:rd.bbc.co.uk,2015-12-08:dvb:css:timeline:simple-elapsed-time:"

    public init(_ text: String) { self = Self.known(text) ?? .other(text) }

    /// The selector as it is sent.
    public var text: String {
        switch self {
        case .pts: Self.standard + "pts"
        case .temi(let componentTag, let timelineID): Self.standard + "temi:\(componentTag):\(timelineID)"
        case .dashPeriod(let rate, let period):
            Self.standard + "mpd:period:rel:\(rate.ticksPerSecond)" + (period.map { ":\($0)" } ?? "")
        case .compositionTime: Self.standard + "ct"
        case .elapsedTime(let rate): Self.elapsed + "\(rate.ticksPerSecond)"
        case .other(let text): text
        }
    }

    /// Ticks per second; nil if the selector does not tell it.
    public var tickRate: TickRate? {
        switch self {
        case .pts: .mpeg
        case .dashPeriod(let rate, _), .elapsedTime(let rate): rate
        case .temi, .compositionTime, .other: nil
        }
    }

    /// Whether its ticks are related to presentation time stamps of 33 bits.
    public var isOfTransportStream: Bool {
        switch self {
        case .pts, .temi: true
        case .dashPeriod, .compositionTime, .elapsedTime, .other: false
        }
    }

    private static func known(_ text: String) -> TimelineSelector? {
        if let rate = remainder(of: text[...], after: elapsed) { return Self.rate(rate).map { .elapsedTime($0) } }
        guard let rest = remainder(of: text[...], after: standard) else { return nil }
        if rest == "pts" { return .pts }
        if rest == "ct" { return .compositionTime }
        if let temi = remainder(of: rest, after: "temi:") {
            let parts = temi.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let tag = octet(parts[0]), let timeline = octet(parts[1]) else { return nil }
            return .temi(componentTag: tag, timelineID: timeline)
        }
        guard let dash = remainder(of: rest, after: "mpd:period:rel:") else { return nil }
        let parts = dash.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let rate = parts.first.flatMap({ Self.rate($0) }) else { return nil }
        guard parts.count == 2 else { return .dashPeriod(rate, period: nil) }
        return parts[1].isEmpty ? nil : .dashPeriod(rate, period: String(parts[1]))
    }

    private static func remainder(of text: Substring, after prefix: String) -> Substring? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return Substring(text.utf8.dropFirst(prefix.utf8.count))
    }

    private static func octet(_ text: Substring) -> UInt8? {
        Int64(decimal: text).flatMap { UInt8(exactly: $0) }
    }

    private static func rate(_ text: Substring) -> TickRate? {
        guard let ticks = Int64(decimal: text), TimelineProperties.units.contains(ticks) else { return nil }
        return TickRate(ticks)
    }
}
