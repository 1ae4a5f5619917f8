// SPDX-License-Identifier: Apache-2.0
import Venue

extension Evidence {
    /// What plays in a region.
    public struct Session: Hashable, Sendable {
        /// What came by the network within the last seconds.
        public struct Reception: Hashable, Sendable {
            public enum Repair: Hashable, Sendable { case none, windows, parity }

            public var datagrams: Int64 = 0
            /// After repair.
            public var lost: Int64 = 0
            public var lostBeforeRepair: Int64 = 0
            /// Of `lost`: what the kernel of this box dropped.
            public var lostToKernel: Int64 = 0
            public var repair = Repair.none
            /// Of the time stamps in the last second, microseconds.
            public var peakJitter: Int64 = 0

            public init() {}
        }

        /// What was decoded and shown within the last seconds.
        public struct Decoding: Hashable, Sendable {
            public var units: Int64 = 0
            public var pictures: Int64 = 0
            public var errors: Int64 = 0
            /// Decoders that were replaced because they hung or failed.
            public var restarts: Int64 = 0
            /// 0 nothing yet, 1 the processor, 2 a device.
            public var tier: Int64 = 0
            /// 0 everything is decoded … 4 random-access points only.
            public var ladderStep: Int64 = 0
            /// Pictures that were shown, and those that were left out because they were late.
            public var shown: Int64 = 0
            public var late: Int64 = 0

            public init() {}
        }

        public var name: String
        /// Group and port; nil for a file.
        public var address: String?
        /// Seconds since it was opened.
        public var age: Int64 = 0
        /// Seconds over which was counted; 0 if that is not known yet.
        public var span: Int64 = 0
        /// Whether it is meant to advance: it is not paused.
        public var isRunning = true
        /// Whether a picture is expected and none, or no new one, is shown.
        public var lacksPicture = false
        /// nil while nothing speaks for a fault.
        public var absence: PictureAbsence?
        /// Why what was to be played is not open; nil if it is.
        public var failure: String?
        public var hasPictures = true
        /// The video streams that the box cannot decode, if there is none that it can; nil otherwise.
        public var unplayedVideo: String?
        public var hasSound = true
        /// The addresses of two senders that send it at the same time; nil if there is one.
        public var senders: String?
        /// What its sender does differently from others, and does no harm.
        public var oddities: [String] = []
        /// nil for a file, and while it is not known.
        public var reception: Reception?
        public var decoding: Decoding?

        public init(_ name: String) { self.name = name }
    }
}
