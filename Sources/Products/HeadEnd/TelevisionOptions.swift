// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// The options of a test television: a head-end whose first channel it shows.
public struct TelevisionOptions: Equatable, Sendable {
    public var headEnd: HeadEndOptions
    public var address = NumericAddress(v4: 0x7f00_0001)
    public var port: UInt16 = 7_681
    public var wallClockPort: UInt16 = 6_677
    /// From the departure of a picture to its presentation.
    public var delay = Nanoseconds.seconds(2)
    public var contentID = "dvb://233a.1004.1044"

    public static let usage = """
        usage: touchline-streamer tv --config FILE [OPTION...]

        A test television: it sends what the configuration says, and serves the timeline (PTS) of the first channel by
        DVB-CSS as if it showed that channel.

          --config FILE        what is sent, as without tv; and --interface, --messages
          --address ADDRESS    of this machine, where companions are served (127.0.0.1)
          --port N             of CSS-CII, ws://ADDRESS:N/cii, and CSS-TS (7681; 0: any)
          --wall-clock-port N  of the wall clock (6677; 0: any)
          --delay MS           from sending a picture to showing it (2000)
          --content ID         what it says it shows (dvb://233a.1004.1044)

        Commands, one a line of standard input: pause, play, speed X, seek TICKS, step MS, unavailable, available,
        disable, enable, content ID, status okay|transitioning|fault, quit.

        """

    public enum Parsed: Equatable, Sendable {
        case run(TelevisionOptions)
        case printHelp
        /// What is wrong with the command line; exit code 2.
        case refuse(String)
    }

    /// - Parameter words: the words after `tv`.
    public static func parse(_ words: [String]) -> Parsed {
        var options = TelevisionOptions(headEnd: HeadEndOptions(configuration: ""))
        var rest = words[...]
        while let word = rest.popFirst() {
            if ["--help", "-h"].contains(word) { return .printHelp }
            guard Self.names.contains(word) else {
                return .refuse("'\(word)' is no option: expected one of \(Self.names.joined(separator: ", ")), --help")
            }
            guard let value = rest.popFirst() else { return .refuse("\(word) needs a value") }
            if let expected = options.take(word, value) {
                return .refuse("\(word) '\(value)': expected \(expected)")
            }
        }
        guard !options.headEnd.configuration.isEmpty else { return .refuse("--config FILE is missing") }
        return .run(options)
    }

    private static let names = [
        "--config", "--interface", "--messages", "--address", "--port", "--wall-clock-port", "--delay", "--content",
    ]

    /// - Returns: what was expected; nil if the value was taken.
    private mutating func take(_ word: String, _ value: String) -> String? {
        switch word {
        case "--config": headEnd.configuration = value
        case "--interface": headEnd.interface = value
        case "--messages": headEnd.messages = value
        case "--content": contentID = value
        case "--address":
            guard let address = NumericAddress(value) else { return "a numeric address" }
            self.address = address
        case "--delay":
            guard let delay = Int64(value), (0...60_000).contains(delay) else { return "milliseconds, 0...60000" }
            self.delay = .milliseconds(delay)
        default:
            guard let port = UInt16(value) else { return "a port, 0...65535" }
            if word == "--port" { self.port = port } else { wallClockPort = port }
        }
        return nil
    }
}
