// SPDX-License-Identifier: Apache-2.0
import Commands

/// What the command line of the service says; all the rest is settings.
public struct BoxOptions: Sendable {
    /// Settings of the image; need not exist.
    public var configuration = "/etc/touchline/config.json"
    /// Box id and, later, revisions, spool and files.
    public var stateDirectory = "/var/lib/touchline"
    /// Instead of the settings' own.
    public var socket: String?

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
            case "--config", "--state", "--socket":
                guard let value = rest.popFirst() else { return .refuse("\(word) needs a path") }
                switch word {
                case "--config": options.configuration = value
                case "--state": options.stateDirectory = value
                default: options.socket = value
                }
            default: return .refuse("'\(word)' is no option: expected --config, --state, --socket, --version or --help")
            }
        }
        return .run(options)
    }
}
