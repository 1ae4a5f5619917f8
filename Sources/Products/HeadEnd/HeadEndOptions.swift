// SPDX-License-Identifier: Apache-2.0

/// What the command line of the streamer says; all the rest is in its configuration.
public struct HeadEndOptions: Sendable {
    public var configuration: String

    public static let usage = """
        usage: touchline-streamer --config FILE

        Sends the channels of FILE (config/headend.schema.json, examples in config/headend) until it is told to stop,
        and says so to those who listen.

          --config FILE   what is sent
          --version       print the version
          --help          print this

        """

    public enum Parsed: Sendable {
        case run(HeadEndOptions)
        case printHelp
        case printVersion
        /// What is wrong; exit code 2.
        case refuse(String)
    }

    /// - Parameter words: without the program's name.
    public static func parse(_ words: [String]) -> Parsed {
        switch words {
        case ["--help"], ["-h"]: .printHelp
        case ["--version"]: .printVersion
        case let words where words.count == 2 && words[0] == "--config":
            .run(HeadEndOptions(configuration: words[1]))
        default:
            .refuse("'\(words.joined(separator: " "))' was not understood: expected --config FILE, --version or --help")
        }
    }
}
