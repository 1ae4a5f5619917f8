// SPDX-License-Identifier: Apache-2.0

/// What a session wants decoded.
public struct DecoderNeed: Hashable, Sendable {
    public var coding: VideoCoding
    /// Of its pictures, in pixels; nil: not known yet.
    public var size: Size?
    /// Nil: not known, taken for 60 where it matters.
    public var picturesPerSecond: Int?
    /// Nil: not known, taken for one that the decoder has.
    public var profile: String?

    public struct Size: Hashable, Sendable {
        public var width: Int
        public var height: Int

        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    public init(_ coding: VideoCoding, size: Size? = nil, picturesPerSecond: Int? = nil, profile: String? = nil) {
        self.coding = coding
        self.size = size
        self.picturesPerSecond = picturesPerSecond
        self.profile = profile
    }

    /// Zero while the size is not known.
    var pixelsPerSecond: Int {
        guard let size else { return 0 }
        func bounded(_ number: Int) -> Int { min(max(0, number), 65_535) }
        return bounded(size.width) * bounded(size.height) * bounded(picturesPerSecond ?? 60)
    }
}
