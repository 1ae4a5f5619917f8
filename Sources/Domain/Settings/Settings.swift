// SPDX-License-Identifier: Apache-2.0
import JSON
import Programming
import Scene
import Time
import Venue

/// The effective settings of a box, as its engines want them. What each field means stands in `Settings.fields`.
public struct Settings: Equatable, Sendable {
    public struct Network: Equatable, Sendable {
        /// Nil: the route's choice.
        public var interface: String?
        public var accessPoints: [AccessPoint]
        /// Silence of a group until it is joined again, at first; each time in vain doubles it.
        public var rejoinWait: Nanoseconds
        public var longestRejoinWait: Nanoseconds
        /// Silence of a source until the next is joined.
        public var sourceFailover: Nanoseconds
    }

    public struct AccessPoint: Hashable, Sendable {
        public var name: String
        /// Lower case with ':'.
        public var bssid: String
    }

    public struct Announcements: Equatable, Sendable {
        public var groups: [Group]
        /// Empty: everybody that `deniedSources` does not name.
        public var allowedSources: [NumericAddress]
        public var deniedSources: [NumericAddress]
        /// Whether plain SAP/SDP, which carries no licence, is listed.
        public var listsUnlicensed: Bool
        public var missedIntervals: Int
        public var pruneMinimum: Nanoseconds
    }

    public struct Group: Hashable, Sendable, CustomStringConvertible {
        public var address: String
        public var port: UInt16

        /// `239.255.255.255:9875`, `[ff05::2:7ffe]:9875`
        public var description: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }

        public init(address: String, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    public struct ConfiguredChannel: Hashable, Sendable {
        /// Logical number; nil: the line-up gives one.
        public var number: Int?
        public var channel: Channel
    }

    public struct Playback: Equatable, Sendable {
        public var playoutDelay: Nanoseconds
        public var history: Nanoseconds
        public var historyLimitOctets: Int
        /// Channel tuned at start.
        public var autoTune: String?
        public var startPolicy: StartPolicy
        public var fallback: Fallback
        public var defaultChannel: String?
        /// Name of one of `playlists`.
        public var fallbackPlaylist: String?
        public var autoAdvance: Bool
        public var autoPlay: Bool
        public var damage: Damage
        public var decoding: Decoding
        /// Sessions that are open at once (SVM-42).
        public var sessionLimit: Int
        public var audioLanguage: String?

        /// From the first picture to the play-out delay.
        public enum StartPolicy: String, Sendable, CaseIterable { case hold, stretch }
        public enum Fallback: String, Sendable, CaseIterable { case hold, slate, defaultChannel, playlist }
        public enum Damage: String, Sendable, CaseIterable { case show, hold }
        /// What may decode pictures.
        public enum Decoding: String, Sendable, CaseIterable { case automatic = "auto", hardware, software }
    }

    public struct Output: Equatable, Sendable {
        public enum Kind: String, Sendable, CaseIterable { case headless, headlessGles, kms, null }
        /// Who draws a screen's stage.
        public enum Drawing: String, Sendable, CaseIterable { case automatic = "auto", gles, processor }
        public var kind: Kind
        public var width: Int
        public var height: Int
        /// How a screen is driven; nil: as suits the stage and what is played.
        public var mode: ModePin?
        /// The kernel's name of where the screen is; nil: the first that has one.
        public var connector: String?
        public var drawing: Drawing
        /// A video may have a plane of its own, under what is composed.
        public var usesPlanes: Bool
        /// On every screen of the card.
        public var isMirrored: Bool
        /// Name of the layout at start: of `layouts` or of a built-in one.
        public var layout: String
        /// Names of those that are on at start.
        public var strategies: [String]
        /// Cross-fade between two layouts; zero: none.
        public var transition: Nanoseconds
    }

    public struct Sound: Equatable, Sendable {
        public enum Output: Equatable, Sendable {
            case null
            case wav(path: String)
            case alsa(device: String)
        }

        public var output: Output
        /// Whether the card's own controls are turned up.
        public var unmutes: Bool
        /// 0...100, at start.
        public var volume: Int
        public var isMuted: Bool
    }

    public struct Log: Equatable, Sendable {
        public var level: LogLevel
        public var subsystems: [String: LogLevel]
    }

    public var boxName: String
    public var boxTags: [String]
    public var license: FieldOfUse
    public var network: Network
    public var announcements: Announcements
    public var channels: [ConfiguredChannel]
    public var lineUp: LineUp
    public var playback: Playback
    public var monitor: MonitorLimits
    public var playlists: [Playlist]
    /// Beside the built-in ones.
    public var layouts: [Layout]
    public var strategies: [Strategy]
    public var output: Output
    public var screenText: ScreenText
    public var sound: Sound
    public var data: Data
    public var health: Health
    public var log: Log
    public var controlSocket: String
    public var http: HTTP
}

extension Settings {
    /// What a box does that nobody has configured.
    public static let `default`: Settings = {
        do {
            return try Settings(document: [:])
        } catch {
            preconditionFailure("the table's own defaults are wrong: \(error)")
        }
    }()

    /// - Parameter text: JSON, at most 256 KiB.
    public init(parsing text: [UInt8]) throws(SettingsError) {
        try self.init(document: Settings.document(parsing: text))
    }

    /// - Parameter document: partial: what it leaves out or sets to null has its default.
    public init(document: JSONValue) throws(SettingsError) {
        self.init(effective: SettingsReader(try Settings.effective(document)))
    }
}
