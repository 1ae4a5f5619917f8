// SPDX-License-Identifier: Apache-2.0
import Time

/// Measures the frame rate of a stream by the times of its pictures. The screen's mode follows it, so the rate is given
/// only once the stream has settled.
struct ContentRate {
    /// Number of successive pictures at equal spans that determine a rate.
    static let run: Int64 = 100
    /// Spans are equal if they differ by less than this fraction (an eighth): time stamps are in 1/90 000 s or in ms.
    private static let tolerance: Int64 = 8
    /// Allocated with the region, because nothing is allocated while pictures are shown.
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

    /// Records the time of the next picture that was due, whether it was shown or not.
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

    /// Another stream begins. The old rate stays until the new one is known.
    mutating func reset() {
        first = nil
        last = nil
    }

    private mutating func begin(at time: Monotonic) {
        first = time
        count = 0
    }

    /// - Parameter span: duration of a picture, ns. The limit is 400 parts in a million; 59.94 and 60 differ by 1 000.
    private mutating func settle(_ span: Int64) {
        rate = usual.first { ($0.period.count - span).magnitude <= UInt64($0.period.count / 2_500) } ?? rate
    }
}
