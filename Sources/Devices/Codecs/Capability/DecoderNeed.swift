// SPDX-License-Identifier: Apache-2.0

/// What a session needs to have decoded.
public struct DecoderNeed: Hashable, Sendable {
    public var coding: VideoCoding
    /// Picture size in pixels; nil if unknown.
    public var size: Size?
    /// nil if unknown; 60 is then assumed.
    public var picturesPerSecond: Int?
    /// nil if unknown; a profile that the decoder supports is then assumed.
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

    /// Zero if the size is unknown.
    var pixelsPerSecond: Int {
        guard let size else { return 0 }
        func bounded(_ number: Int) -> Int { min(max(0, number), 65_535) }
        return bounded(size.width) * bounded(size.height) * bounded(picturesPerSecond ?? 60)
    }
}
