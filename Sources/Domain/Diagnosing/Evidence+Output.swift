// SPDX-License-Identifier: Apache-2.0

extension Evidence {
    /// The screen on which the stage is shown.
    public struct Display: Hashable, Sendable {
        /// Whether the settings want a screen; false for a box without one.
        public var isWanted = true
        /// The connector that the settings name; nil if any will do.
        public var wanted: String?
        /// The connector that shows the stage, its mode, and the maker and name of the screen.
        public var connector: String?
        public var mode: String?
        public var screen: String?
        /// Why the output could not be opened; nil if it could.
        public var problem: String?
        /// Why the last video is composed and not shown on a plane of its own; nil if it is not.
        public var planeRefusal: String?
        // Within the last seconds.
        public var flips: Int64 = 0
        public var refusedCommits: Int64 = 0
        public var lostFlips: Int64 = 0

        public init() {}
    }

    /// The output of sound.
    public struct Sound: Hashable, Sendable {
        /// Whether the settings want an output.
        public var isWanted = true
        /// The device that is open; nil if none is.
        public var device: String?
        /// Why none is open.
        public var problem: String?
        /// 0...100.
        public var level = 100
        public var isMuted = false
        // Within the last seconds.
        public var underruns: Int64 = 0
        public var decoded: Int64 = 0
        public var decodeErrors: Int64 = 0

        public init() {}
    }
}
