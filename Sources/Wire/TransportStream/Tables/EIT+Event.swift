// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

extension EIT {
    /// An event: a programme that a service shows.
    public struct Event: Sendable, Equatable {
        public let id: UInt16
        /// Start in UTC, whole seconds; nil if undefined.
        public let start: WallTime?
        /// Duration in whole seconds; nil if undefined.
        public let duration: Nanoseconds?
        /// running_status: 0 undefined, 1 not running, 2 starts in a few seconds, 3 pausing, 4 running.
        public let runningStatus: UInt8
        /// free_CA_mode: access to at least one stream may be controlled.
        public let isScrambled: Bool
        /// Names and descriptions, one for each language.
        public let texts: [EventText]
        /// Genres as sent: content_nibble_level_1 and 2, then user_byte.
        public let genres: [UInt16]
        public let ratings: [ParentalRating]

        public init(
            id: UInt16, start: WallTime?, duration: Nanoseconds?, runningStatus: UInt8 = 4, isScrambled: Bool = false,
            texts: [EventText], genres: [UInt16] = [], ratings: [ParentalRating] = []
        ) {
            self.id = id
            self.start = start
            self.duration = duration
            self.runningStatus = runningStatus
            self.isScrambled = isScrambled
            self.texts = texts
            self.genres = genres
            self.ratings = ratings
        }

        /// The text in a language, else the first text; nil if the event has no text.
        /// - Parameter language: ISO 639-2, either code of a language that has two; nil for the first text.
        public func text(in language: String? = nil) -> EventText? {
            let wanted = language.map(LanguageCode.canonical)
            return texts.first { wanted != nil && $0.language.map(LanguageCode.canonical) == wanted } ?? texts.first
        }

        /// Octets before the descriptors.
        static var headLength: Int { 12 }

        /// - Parameter isWhole: becomes false if a time or a descriptor could not be read. It costs that alone: a wrong
        ///   time is taken as undefined.
        init(from reader: inout WireReader, isWhole: inout Bool) throws(WireError) {
            id = try reader.read()
            start = Event.defined(&isWhole) { () throws(WireError) in try DVBTime.time(from: &reader, "start_time") }
            duration = Event.defined(&isWhole) { () throws(WireError) in try DVBTime.span(from: &reader, "duration") }
            let flags: UInt16 = try reader.read()
            runningStatus = UInt8(flags >> 13)
            isScrambled = flags & 0x1000 != 0
            var texts: [EventText] = []
            var genres: [UInt16] = []
            var ratings: [ParentalRating] = []
            var descriptors = Descriptors(from: &reader, length: Int(flags & 0xFFF))
            let isRead = descriptors.forEach { (tag, content) throws(WireError) in
                switch tag {
                case Descriptors.Tag.shortEvent: texts.append(try EventText(short: &content))
                case Descriptors.Tag.extendedEvent: try EventText.extend(&texts, from: &content)
                case Descriptors.Tag.content:
                    while !content.isAtEnd { genres.append(try content.read()) }
                case Descriptors.Tag.parentalRating:
                    while !content.isAtEnd { ratings.append(try ParentalRating(from: &content)) }
                default: break
                }
            }
            isWhole = isWhole && isRead
            self.texts = texts
            self.genres = genres
            self.ratings = ratings
        }

        private static func defined<T>(_ isWhole: inout Bool, _ read: () throws(WireError) -> T?) -> T? {
            do throws(WireError) {
                return try read()
            } catch {
                isWhole = false
                return nil
            }
        }
    }
}
