// SPDX-License-Identifier: Apache-2.0
import Simulating
import Time

/// The options of `touchline-reporter simulate`.
public struct SimulatorOptions: Equatable, Sendable {
    public var boxCount = 100
    public var server = ReporterAddress(host: "127.0.0.1", port: 8_090)
    public var tokenFile = ""
    public var interval = Nanoseconds.seconds(10)
    /// nil: until a signal comes.
    public var duration: Nanoseconds?
    public var seed: UInt64 = 1
    public var stories: [SimulatedStory.Name] = []
    /// How many times as fast as real time the boxes' time passes during an outage.
    public var speed: Int64 = 1
    /// Reports a second of which twice as many must not arrive; nil: nobody looks.
    public var capacity: Int64?
    public var isJSON = false
    /// nil: the boxes of one venue report; else the reporters of so many venues, each with `boxCount` boxes.
    public var venueCount: Int?
    /// After this time a venue tells of a box though nothing changed.
    public var refresh = Nanoseconds.seconds(60)

    public static let mostBoxes = 20_000
    public static let mostVenues = 1_000
    /// Boxes of all venues together.
    private static let mostOfVenues = 200_000

    public static let usage = """
        usage: touchline-reporter simulate --boxes N --token-file FILE [OPTION...]

        Sends a reporter what N boxes of a made-up venue tell, by the contract of config/REPORTS.md, and prints each ten
        seconds and at the end how it fares. Exit code 1 if a report was not acknowledged in a run without faults.

          --boxes N         1 to 20,000; each has a connection of its own
          --url URL         http://ADDRESS:PORT of the reporter; http://127.0.0.1:8090 if it is not given
          --token-file FILE the boxes' token
          --interval S      seconds from one report of a box to the next: 1 to 3,600, 10 if it is not given
          --seconds S       how long reports are made, 1 to 1,000,000; then what waits is sent for 30 s more. Without it
                            the run lasts until a signal comes
          --seed N          the venue follows from it; 1 if it is not given
          --story NAME      what happens, from a quarter to three quarters of the run (without --seconds: from a minute
                            on, for ten): access-point, dead-switch, bad-channel, roll-out; or outage, which begins after
                            30 s at the latest, lasts an hour and is not counted into --seconds. Several are possible
          --speed K         the boxes' time passes K times as fast while an outage lasts: 1 to 3,600
          --capacity N      reports a second that the reporter can take; exit code 1 if twice as many arrive
          --venues N        1 to 1,000: the reporters of so many venues, each with --boxes boxes, 200,000 in all, tell the
                            reporter of a region; --story access-point, bad-channel and roll-out are possible
          --refresh S       seconds after which a venue tells of a box though nothing changed: 1 to 3,600, 60 if it is
                            not given
          --json            print each figure as a JSON document a line
          --help            print this

        """

    public enum Parsed: Equatable, Sendable {
        case run(SimulatorOptions)
        case printHelp
        /// What is wrong with the command line; exit code 2.
        case refuse(String)
    }

    /// - Parameter words: the words after `simulate`.
    public static func parse(_ words: [String]) -> Parsed {
        var options = SimulatorOptions()
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .printHelp
            case "--json":
                options.isJSON = true
                continue
            default: break
            }
            guard let expectation = expectations[word] else {
                return .refuse("'\(word)' is no option of simulate: see touchline-reporter simulate --help")
            }
            guard let value = rest.popFirst() else { return .refuse("\(word) needs a value: \(expectation)") }
            guard options.take(word, value) else {
                return .refuse("\(word) is '\(value)': expected \(expectation)")
            }
        }
        if let problem = options.venueProblem { return .refuse(problem) }
        guard !options.tokenFile.isEmpty else { return .refuse("--token-file FILE is missing") }
        return .run(options)
    }

    private static let expectations = [
        "--boxes": "1 to \(mostBoxes)", "--url": "http://ADDRESS:PORT", "--token-file": "a file",
        "--interval": "1 to 3600 seconds", "--seconds": "1 to 1000000 seconds", "--seed": "a whole number",
        "--story": SimulatedStory.Name.allCases.map(\.rawValue).joined(separator: ", "), "--speed": "1 to 3600",
        "--venues": "1 to \(mostVenues)", "--refresh": "1 to 3600 seconds",
        "--capacity": "1 to 10000000 reports a second",
    ]

    private mutating func take(_ option: String, _ value: String) -> Bool {
        let number = Int64(value)
        func inside(_ range: ClosedRange<Int64>) -> Int64? { number.flatMap { range.contains($0) ? $0 : nil } }
        switch option {
        case "--boxes": return inside(1...Int64(Self.mostBoxes)).map { boxCount = Int($0) } != nil
        case "--url": return ReporterAddress(url: value).map { server = $0 } != nil
        case "--token-file":
            tokenFile = value
            return !value.isEmpty
        case "--interval": return inside(1...3_600).map { interval = .seconds($0) } != nil
        case "--seconds": return inside(1...1_000_000).map { duration = .seconds($0) } != nil
        case "--seed": return UInt64(value).map { seed = $0 } != nil
        case "--story": return SimulatedStory.Name(rawValue: value).map { stories.append($0) } != nil
        case "--speed": return inside(1...3_600).map { speed = $0 } != nil
        case "--venues": return inside(1...Int64(Self.mostVenues)).map { venueCount = Int($0) } != nil
        case "--refresh": return inside(1...3_600).map { refresh = .seconds($0) } != nil
        case "--capacity": return inside(1...10_000_000).map { capacity = $0 } != nil
        default: return false
        }
    }

    /// What does not go together with venues; nil if nothing.
    private var venueProblem: String? {
        guard let venueCount else { return nil }
        if venueCount * boxCount > Self.mostOfVenues {
            return
                "--venues \(venueCount) of --boxes \(boxCount) are too many: expected \(Self.mostOfVenues) boxes in all"
        }
        let cutsOff = stories.first { $0.cutsOff }
        if let cutsOff { return "--story \(cutsOff.rawValue) is not for --venues: expected one that cuts nobody off" }
        return capacity == nil ? nil : "--capacity is not for --venues"
    }

    /// The stories with their times.
    var timedStories: [SimulatedStory] {
        let span = duration.map { $0 / 4..<$0 / 4 * 3 } ?? .seconds(60)..<Nanoseconds.seconds(660)
        return stories.map { name in
            guard name == .outage else { return SimulatedStory(name, span) }
            let begin = min(span.lowerBound, .seconds(30))
            return SimulatedStory(name, begin..<begin + .seconds(3_600))
        }
    }

    /// When reports are not made any more, in the boxes' time; nil if only a signal ends the run.
    var end: Nanoseconds? { duration.map { stories.contains(.outage) ? $0 + .seconds(3_600) : $0 } }

    /// Whether every report has to be acknowledged at the end. After a fault the time may not have been enough.
    var isWithoutFaults: Bool { !stories.contains { $0.cutsOff } }
}
