// SPDX-License-Identifier: Apache-2.0
import Time

/// The playback position, and whether playback runs (SVM-68).
public struct TransportBar: Hashable, Sendable {
    public enum Sign: Hashable, Sendable { case playing, paused, rewound }

    static let live = "LIVE"
    static let steps = 200

    public var sign: Sign
    /// `LIVE`, `−0:20` behind live, or `1:02` into a file.
    public var place: String
    /// What the line begins and ends with: `−0:30` and `LIVE` of history, `0:00` and `5:00` of a file; nil if the length is
    /// not known.
    public var from: String?
    public var to: String?
    /// The position on the line, 0...`steps`; nil if the length is not known.
    public var progress: Int?

    init(_ state: ScreenText.TransportState) {
        switch state.place {
        case .live(let behind, let available):
            let isLive = behind < Self.nearLive
            sign = state.isPaused ? .paused : isLive ? .playing : .rewound
            place = isLive ? Self.live : "−" + Self.clock(behind)
            from = available > .zero ? "−" + Self.clock(available) : nil
            to = available > .zero ? Self.live : nil
            progress =
                available > .zero ? Self.steps - (isLive ? 0 : Self.part(behind, of: available)) : nil
        case .file(let position, let duration):
            sign = state.isPaused ? .paused : .playing
            place = Self.clock(position)
            from = duration.map { _ in Self.clock(.zero) }
            to = duration.map { Self.clock($0) }
            progress = duration.map { Self.part(position, of: $0) }
        }
    }

    /// A smaller delay behind live counts as live, because the play-out delay is never 0.
    static let nearLive = Nanoseconds.milliseconds(1_500)

    private static func part(_ span: Nanoseconds, of whole: Nanoseconds) -> Int {
        guard whole.milliseconds > 0 else { return 0 }
        return Int(min(max(0, span.milliseconds), whole.milliseconds) * Int64(steps) / whole.milliseconds)
    }

    /// A time as `0:20` or `1:02:03`.
    static func clock(_ span: Nanoseconds) -> String {
        let seconds = max(0, span.seconds)
        func pad(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        return hours > 0
            ? "\(hours):\(pad(minutes)):\(pad(seconds % 60))" : "\(minutes):\(pad(seconds % 60))"
    }
}
