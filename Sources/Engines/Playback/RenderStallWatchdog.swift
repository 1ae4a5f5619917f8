// SPDX-License-Identifier: Apache-2.0

/// Detects a picture that is frozen while units arrive and sound goes on (PLAY-45).
///
/// Call `observe` once a second while a visible session plays, and `reset` when it does not or another one does.
public struct RenderStallWatchdog: Sendable {
    public enum Verdict: Hashable, Sendable { case healthy, restartDecoder }

    /// Totals of a session.
    public struct Counts: Hashable, Sendable {
        public var pictures: Int64
        public var audioFrames: Int64
        public var videoUnits: Int64

        public static let zero = Counts(pictures: 0, audioFrames: 0, videoUnits: 0)

        public init(pictures: Int64, audioFrames: Int64, videoUnits: Int64) {
            self.pictures = pictures
            self.audioFrames = audioFrames
            self.videoUnits = videoUnits
        }
    }

    private static let shortest = 3
    private static let longest = 48
    private var last: Counts?
    private var frozen = 0
    /// Frozen seconds until the next restart; doubled after each restart that did not help.
    private var patience = shortest

    public init() {}

    public mutating func reset() {
        last = nil
        frozen = 0
    }

    public mutating func observe(_ counts: Counts) -> Verdict {
        defer { last = counts }
        guard let last else { return .healthy }
        guard counts.pictures == last.pictures else {
            frozen = 0
            patience = Self.shortest
            return .healthy
        }
        guard counts.audioFrames > last.audioFrames, counts.videoUnits > last.videoUnits else {
            frozen = 0
            return .healthy
        }
        frozen += 1
        guard frozen >= patience else { return .healthy }
        frozen = 0
        patience = min(patience * 2, Self.longest)
        return .restartDecoder
    }
}
