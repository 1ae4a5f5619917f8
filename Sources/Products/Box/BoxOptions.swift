// SPDX-License-Identifier: Apache-2.0
import Codecs
import Rendering

/// What the command line of the service says; all the rest is settings.
public struct BoxOptions: Sendable {
    /// Settings of the image; need not exist.
    public var configuration = "/etc/touchline/config.json"
    /// Box id and, later, revisions, spool and files.
    public var stateDirectory = "/var/lib/touchline"
    /// Instead of the settings' own.
    public var socket: String?

    /// What boards say of their decoders, and the seal of that; need not exist.
    public var boards = "/usr/share/touchline/boards"
    /// What this machine is called; nil: its firmware knows.
    public var machine: [String]?
    /// What decodes here; for tests.
    package var decoders: @Sendable () -> DecoderInventory = { .read() }
    /// Opens them when they are none of this machine's; for tests.
    package var decoderOpener: DecoderDesk.Opener?

    public init() {}

    public static let usage = HelpText.service()

    public enum Parsed: Sendable {
        case run(BoxOptions)
        case printHelp
        case printVersion
        /// What is wrong; exit code 2.
        case refuse(String)
    }

    /// - Parameter words: without the program's name.
    public static func parse(_ words: [String]) -> Parsed {
        var options = BoxOptions()
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .printHelp
            case "--version": return .printVersion
            case "--config", "--state", "--socket", "--boards":
                guard let value = rest.popFirst() else { return .refuse("\(word) needs a path") }
                switch word {
                case "--config": options.configuration = value
                case "--state": options.stateDirectory = value
                case "--boards": options.boards = value
                default: options.socket = value
                }
            default:
                return .refuse(
                    "'\(word)' is no option: expected --config, --state, --socket, --boards, --version or --help")
            }
        }
        return .run(options)
    }
}
