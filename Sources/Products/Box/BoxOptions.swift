// SPDX-License-Identifier: Apache-2.0
import Capture
import Codecs
import Inspection
import Journal
import NetworkHelper
import NetworkPlan
import NetworkSetup
import Rendering

/// The options of the service's command line. Everything else is a setting.
public struct BoxOptions: Sendable {
    /// Path of the settings that whoever installs the box writes; they become a revision when they are new or have
    /// changed. The file need not exist.
    public var configuration = "/etc/touchline/config.json"
    /// Path of the image's settings, which lie below all revisions. The file need not exist.
    public var image = "/usr/share/touchline/config.json"
    /// Directory in which the box keeps its id and the revisions of its settings.
    public var stateDirectory = "/var/lib/touchline"
    /// Path of the control socket; nil for that of the settings.
    public var socket: String?

    /// Directory of the boards' descriptions of their decoders, and of its checksum manifest. It need not exist.
    public var boards = "/usr/share/touchline/boards"
    /// Names of this machine, the most particular first; nil if its firmware is asked.
    public var machine: [String]?
    /// Takes each line of the log, from any thread; standard error, replaced by tests.
    package var log: @Sendable (_ line: String) -> Void = Journal.standardError
    /// Finds the decoders of this machine; replaced by tests.
    package var decoders: @Sendable () -> DecoderInventory = { .read() }
    /// Opens decoders that are not this machine's; set by tests, nil otherwise.
    package var decoderOpener: DecoderPool.Opener?
    /// Screens, sound and the wall clock of this machine; replaced by tests.
    package var devices = MediaDevices()
    /// Path of the socket of the helper that may change the box's network, and the wires and radios that it has; replaced
    /// by tests.
    package var networkHelper = NetworkSetup.Sources.usualHelper
    package var networkDevices: @Sendable () -> [NetworkDevice] = NetworkHelper.ofThisMachine
    /// Path of the socket of the helper that opens packet sockets; replaced by tests.
    package var captureHelper = Capture.Sources.usualHelper
    /// Looks at temperature, memory, disks and connectors of this machine; replaced by tests.
    package var inspection = MachineInspection()
    /// What this machine's clocks say beside the time; replaced by tests.
    package var clock = MachineClock()

    public init() {}

    public static let usage = HelpText.service()

    public enum Parsed: Sendable {
        case run(BoxOptions)
        case printHelp
        case printVersion
        /// The associated text says what is wrong. The exit code is 2.
        case refuse(String)
    }

    /// - Parameter words: the command line without the program's name.
    public static func parse(_ words: [String]) -> Parsed {
        var options = BoxOptions()
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .printHelp
            case "--version": return .printVersion
            case "--config", "--image", "--state", "--socket", "--boards":
                guard let value = rest.popFirst() else { return .refuse("\(word) needs a path") }
                switch word {
                case "--config": options.configuration = value
                case "--image": options.image = value
                case "--state": options.stateDirectory = value
                case "--boards": options.boards = value
                default: options.socket = value
                }
            default:
                return .refuse(
                    "'\(word)' is no option: expected --config, --image, --state, --socket, --boards, --version or --help"
                )
            }
        }
        return .run(options)
    }
}
