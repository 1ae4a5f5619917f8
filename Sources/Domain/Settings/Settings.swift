// SPDX-License-Identifier: Apache-2.0
import JSON
import Programming
import Scene
import Time
import Venue

/// The effective settings of a box, in the form that its engines take. `Settings.fields` explains each field.
public struct Settings: Equatable, Sendable {
    public struct Network: Equatable, Sendable {
        /// The interface of all joins; nil leaves the choice to the routing table.
        public var interface: String?
        public var accessPoints: [AccessPoint]
        /// The silence after which a group is joined again; doubled after each attempt that fails.
        public var rejoinWait: Nanoseconds
        public var longestRejoinWait: Nanoseconds
        /// The silence after which the next source is joined.
        public var sourceFailover: Nanoseconds
        /// Whether parity that nobody announced is looked for.
        public var findsParity: Bool
        public var debug: NetworkDebug
    }

    public struct AccessPoint: Hashable, Sendable {
        public var name: String
        /// Lower case, with ':' between octets.
        public var bssid: String
    }

    public struct Announcements: Equatable, Sendable {
        public var groups: [Group]
        /// If empty, all sources are allowed that `deniedSources` does not name.
        public var allowedSources: [NumericAddress]
        public var deniedSources: [NumericAddress]
        /// Whether channels of plain SAP/SDP, which carries no licence, are listed.
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
        /// Logical number; nil if the line-up assigns one.
        public var number: Int?
        public var channel: Channel
    }

    public struct Playback: Equatable, Sendable {
        public var playoutDelay: Nanoseconds
        public var history: Nanoseconds
        public var historyLimitOctets: Int
        /// Greatest size of the histories of all channels together. If it is nil, the limit is a third of the memory that
        /// the process may use.
        public var historiesLimitOctets: Int?
        /// The channel that is tuned at start; nil tunes none.
        public var autoTune: String?
        public var startPolicy: StartPolicy
        public var fallback: Fallback
        public var defaultChannel: String?
        /// The name of one of `playlists`; nil if there is none.
        public var fallbackPlaylist: String?
        public var autoAdvance: Bool
        public var autoPlay: Bool
        public var damage: Damage
        public var decoding: Decoding
        /// How many sessions may be open at once (SVM-42).
        public var sessionLimit: Int
        public var audioLanguage: String?
        public var sourcePolicy: SourcePolicy
        /// The deliveries that `sourcePolicy` `ordered` plays, the preferred one first.
        public var sourceOrder: [Source.Delivery]
        /// Nominal bit rate of all channels that may play at once, kbit/s; nil for no limit (SVM-38).
        public var bandwidthLimitKbps: Int?

        /// Which of an item's sources is played (PLAY-20).
        public enum SourcePolicy: String, Sendable, CaseIterable { case reference, first, ordered }
        /// How playback gets from its first picture to the play-out delay.
        public enum StartPolicy: String, Sendable, CaseIterable { case hold, stretch }
        public enum Fallback: String, Sendable, CaseIterable { case hold, slate, defaultChannel, playlist }
        public enum Damage: String, Sendable, CaseIterable { case show, hold }
        /// What may decode pictures.
        public enum Decoding: String, Sendable, CaseIterable { case automatic = "auto", hardware, software }
    }

    public struct Output: Equatable, Sendable {
        public enum Kind: String, Sendable, CaseIterable { case headless, headlessGles, kms, null }
        /// What draws the stage of a screen.
        public enum Drawing: String, Sendable, CaseIterable { case automatic = "auto", gles, processor }
        /// What happens to pictures while no screen shows them.
        public enum Standby: String, Sendable, CaseIterable { case play, suspend }
        public var kind: Kind
        /// The size of the screen for which the stage is made.
        public var screen: PixelSize
        /// How the stage lies on the screen.
        public var mounting: ScreenMounting
        /// The requested mode of the screen; nil derives one from the stage and the content.
        public var mode: ModePin?
        /// The kernel's name of the screen's connector; nil takes the first connector with a screen.
        public var connector: String?
        public var drawing: Drawing
        /// Whether a video may have a KMS plane of its own below the composed picture.
        public var usesPlanes: Bool
        /// Whether every screen of the card shows the stage.
        public var isMirrored: Bool
        public var standby: Standby
        /// The name of the layout at start: one of `layouts`, or a built-in one.
        public var layout: String
        /// The names of the strategies that are active at start.
        public var strategies: [String]
        /// The length of the cross-fade between two layouts; zero for a cut.
        public var transition: Nanoseconds
    }

    public struct Sound: Equatable, Sendable {
        public enum Output: Equatable, Sendable {
            case null
            case wav(path: String)
            case alsa(device: String)
        }

        public var output: Output
        /// Whether the card's own controls are unmuted and set to 0 dB when it is opened.
        public var unmutes: Bool
        /// The volume at start, 0...100.
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
    /// The configured layouts, without the built-in ones.
    public var layouts: [Layout]
    public var strategies: [Strategy]
    public var output: Output
    public var screenText: ScreenText
    public var sound: Sound
    public var data: Data
    public var health: Health
    public var log: Log
    public var controlSocket: String
}

extension Settings {
    /// The settings of a box that nobody has configured.
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

    /// - Parameter document: may be partial; a field that is absent or null has its default.
    public init(document: JSONValue) throws(SettingsError) {
        self.init(effective: SettingsReader(try Settings.effective(document)))
    }
}
