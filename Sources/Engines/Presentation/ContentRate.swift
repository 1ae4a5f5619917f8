// SPDX-License-Identifier: Apache-2.0
import Time

/// Measures the rate of a stream by the times of its pictures. The screen's mode follows it, so it is known only once
/// the stream has settled.
struct ContentRate {
    /// Pictures in a row, each after the same span as the one before, that give a rate.
    static let run: Int64 = 100
    /// Spans that differ by less than this part count as equal: time stamps are in 1/90 000 s or in ms.
    private static let tolerance: Int64 = 8
    /// Made with the region, because nothing is allocated while pictures are shown.
    private let usual: [FrameRate] = [
        .ntscFilm, FrameRate(24), FrameRate(25), .ntscFrames, FrameRate(30), FrameRate(48), FrameRate(50), .ntscFields,
        FrameRate(60),
    ]
    /// One of the usual rates; nil until it is known.
    private(set) var rate: FrameRate?
    private var first: Monotonic?
    private var last: Monotonic?
    private var span = Nanoseconds.zero
    private var count: Int64 = 0

    /// Notes the next picture that was due, whether it was shown or not.
    mutating func note(_ time: Monotonic) {
        defer { last = time }
        guard let first, let last, time > last else { return begin(at: time) }
        let span = time - last
        if count == 0 { self.span = span }
        guard (span - self.span).magnitude <= self.span / Self.tolerance else { return begin(at: time) }
        count += 1
        guard count == Self.run else { return }
        settle((time - first).count / count)
        begin(at: time)
    }

    /// Another stream begins; the old rate stands until the new one is known.
    mutating func reset() {
        first = nil
        last = nil
    }

    private mutating func begin(at time: Monotonic) {
        first = time
        count = 0
    }

    /// - Parameter span: of a picture, ns. 59.94 and 60 differ by 1 000 parts in a million.
    private mutating func settle(_ span: Int64) {
        rate = usual.first { ($0.period.count - span).magnitude <= UInt64($0.period.count / 2_500) } ?? rate
    }
}
