// SPDX-License-Identifier: Apache-2.0
import Casting

/// The options of the head-end's command line; everything else is in the configuration.
public struct HeadEndOptions: Equatable, Sendable {
    public var configuration: String
    /// Overrides the interface of the configuration.
    public var interface: String?
    /// What data channels without messages of their own send: the path of a file of JSON lines, or "-" for standard
    /// input.
    public var messages: String?

    public init(configuration: String) { self.configuration = configuration }

    public static let usage = """
        usage: touchline-streamer --config FILE [--interface NAME] [--messages FILE|-]
               touchline-streamer tv --config FILE [OPTION...]
               touchline-streamer relay --from GROUP:PORT --to GROUP:PORT [OPTION...]

          --config FILE       what is sent: see config/headend.schema.json and config/headend/demo.json
          --interface NAME    interface of all that is sent, instead of the configuration's
          --messages FILE|-   what data channels without messages of their own send, as JSON lines with text, json or
                              base64, and contentType: a file again and again, standard input as it comes
          --check             read the configuration, say what is wrong with it, and send nothing
          --version           print the version

        A channel with repair by windows (RFC 6865) has six octets behind each packet: boxes play it, other players do
        not. Beside it a plain group, with or without SMPTE ST 2022-1, shows the same to all; SDP describes that one.

          --help              print this; relay --help: of the relay, which makes a bad network; tv --help: of the test
                              television, which boxes follow

        """

    public enum Parsed: Equatable, Sendable {
        case run(HeadEndOptions)
        case check(HeadEndOptions)
        /// Relay datagrams through a bad network instead of running a head-end.
        case relay(RelayPlan.Parsed)
        /// Serve the timeline of the first channel as well.
        case television(TelevisionOptions.Parsed)
        case printHelp
        case printVersion
        /// What is wrong with the command line; exit code 2.
        case refuse(String)
    }

    /// - Parameter words: the words after the program's name.
    public static func parse(_ words: [String]) -> Parsed {
        if words.first == "relay" { return .relay(RelayPlan.parse(Array(words.dropFirst()))) }
        if words.first == "tv" { return .television(TelevisionOptions.parse(Array(words.dropFirst()))) }
        var (configuration, interface, messages): (String?, String?, String?)
        var isCheck = false
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .printHelp
            case "--version": return .printVersion
            case "--check": isCheck = true
            case "--config", "--interface", "--messages":
                guard let value = rest.popFirst() else { return .refuse("\(word) needs a value") }
                switch word {
                case "--config": configuration = value
                case "--interface": interface = value
                default: messages = value
                }
            default:
                return .refuse(
                    "'\(word)' is no option: expected --config, --interface, --messages, --check, --version or --help")
            }
        }
        guard let configuration else { return .refuse("--config FILE is missing") }
        var options = HeadEndOptions(configuration: configuration)
        options.interface = interface
        options.messages = messages
        return isCheck ? .check(options) : .run(options)
    }
}
