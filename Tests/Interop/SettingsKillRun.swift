// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

/// A service that is killed and started again and again, with one state directory.
final class SettingsKillRun {
    /// What the service is asked when it is killed.
    enum Moment: CaseIterable {
        case change, changeToProve, confirmation, takingBack, earlierRevision
    }

    /// A request, and what it does to the settings.
    private struct Step {
        let effect: SettingsOnDisk.Request
        let command: String
        let arguments: JSONValue
    }

    private let venue: TestVenue
    private let image: String
    private let state: String
    private var random: SplitMix64
    /// The last document that was made.
    private var last = 0
    private var settings = SettingsOnDisk(confirmed: 0)
    /// The documents with one of which the next start has to be.
    private var allowed: Set<Int> = [0]
    /// The highest number of a revision of which the service has told.
    private var newest: Int64 = 0
    /// The revisions that the last history listed, by number.
    private var listed: [Int64: JSONValue] = [:]
    /// Number of kills before which the request was answered.
    private(set) var answered = 0

    init(in venue: TestVenue, seed: UInt64) throws {
        self.venue = venue
        random = SplitMix64(seed: seed)
        state = venue.directory.file("state")
        // No change confirms itself while the test is slow.
        let quiet: JSONValue = [
            "http": ["isEnabled": false], "announcements": ["groups": []], "confirmation": ["steadyS": 600],
        ]
        image = try venue.directory.write(quiet.merging(patch: Self.document(0)).text(), to: "image")
    }

    /// Three settings of two sections that are always changed together.
    private static func document(_ number: Int) -> JSONValue {
        [
            "box": ["name": .string("\(number)"), "tags": [.string("tag \(number)")]],
            "sound": ["volume": .integer(Int64(number % 101))],
        ]
    }

    // MARK: Kills

    /// Starts the service, looks at its settings, and kills it at a moment from before the request is sent until after it
    /// is answered.
    func kill(during moment: Moment, _ place: String) async throws {
        let (process, socket) = try await start(place)
        let (step, usual) = try prepare(moment, socket)
        let delay = usual * Double.random(in: -0.25...1.75, using: &random)
        let isCutOff = try send(step, killing: process, after: delay, socket)
        #expect(try await process.exitCode(within: .seconds(5)) == -SIGKILL, "\(place)")
        if isCutOff {
            allowed = settings.documents(killedDuring: step.effect)
        } else {
            answered += 1
            allowed = [settings.after(step.effect).confirmed]
        }
    }

    /// Starts the service once more, and looks at its settings.
    func end(_ place: String) async throws {
        let (process, _) = try await start(place)
        try await process.end()
    }

    private func start(_ place: String) async throws -> (ChildProcess, ControlSocket) {
        // Four starts in a row that end before their first picture give up the settings for those of the image, as
        // SettingsProofTests show; on a busy machine a kill can come before the first picture.
        try? FileManager.default.removeItem(atPath: "\(state)/starts")
        let (process, socket) = try await venue.service(image: image, state: state)
        try look(socket, place)
        return (process, socket)
    }

    /// - Parameter delay: seconds from the request to the kill; if negative, the request is sent after the kill.
    /// - Returns: whether the service was killed before it had answered.
    private func send(
        _ step: Step, killing process: ChildProcess, after delay: Double, _ socket: ControlSocket
    ) throws -> Bool {
        if delay < 0 {
            process.signal(SIGKILL)
            _ = try? socket.send(step.command, step.arguments)  // refused if the service has ended already
        } else {
            try socket.send(step.command, step.arguments)
            usleep(useconds_t(delay * 1_000_000))
            process.signal(SIGKILL)
        }
        guard let answer = (try? socket.answers(1))?.first else { return true }  // the end of the connection
        guard answer.at("/status/isOk") == true else { throw VenueError("\(step.command): \(answer.text())") }
        return false
    }

    // MARK: Requests

    /// Makes the changes that the last request needs before it.
    /// - Returns: the last request, and the seconds that one of its kind takes.
    private func prepare(_ moment: Moment, _ socket: ControlSocket) throws -> (Step, usual: Double) {
        let earlier = try perform(change(hasToProve: false), socket)
        let document = last
        let usual = try perform(change(hasToProve: false), socket).seconds
        let needsUnconfirmed = moment == .confirmation || moment == .takingBack
        if needsUnconfirmed || random.percent(30) { _ = try perform(change(hasToProve: true), socket) }
        let step =
            switch moment {
            case .change: change(hasToProve: false)
            case .changeToProve: change(hasToProve: true)
            case .confirmation: Step(effect: .confirm, command: "config-confirm", arguments: [:])
            case .takingBack: Step(effect: .takeBack, command: "config-rollback", arguments: [:])
            case .earlierRevision:
                Step(
                    effect: .change(to: document, hasToProve: false), command: "config-rollback",
                    arguments: ["revision": .integer(earlier.revision)])
            }
        return (step, usual)
    }

    private func change(hasToProve: Bool) -> Step {
        last += 1
        var arguments: JSONValue = ["settings": Self.document(last)]
        if hasToProve { arguments["confirmWithinS"] = 3_600 }
        return Step(
            effect: .change(to: last, hasToProve: hasToProve), command: "config-merge", arguments: arguments)
    }

    /// Makes a change and waits for its answer.
    /// - Returns: the number of its revision, and how long it took.
    private func perform(_ change: Step, _ socket: ControlSocket) throws -> (revision: Int64, seconds: Double) {
        let answer = try socket.ask(change.command, change.arguments)
        settings = settings.after(change.effect)
        guard let revision = answer.result["revision"]?.integer else { throw VenueError("no revision") }
        #expect(revision > newest, "a revision has the number of an older one")
        newest = revision
        return (revision, answer.answered - answer.asked)
    }

    // MARK: Looks

    /// Compares what the service has started with to what it may have.
    private func look(_ socket: ControlSocket, _ place: String) throws {
        let shown = try socket.ask("config").result
        guard let config = shown["config"], let found = Int(config.at("/box/name")?.string ?? "") else {
            throw VenueError("the box has no number: \(shown.text())")
        }
        #expect(allowed.contains(found), "\(place): document \(found), expected of \(allowed.sorted())")
        #expect(
            config.merging(patch: Self.document(found)) == config, "\(place): document \(found) is not whole")
        settings = SettingsOnDisk(confirmed: found)

        let history = try socket.ask("config-history").result["revisions"]?.array ?? []
        let numbers = history.compactMap { $0["revision"]?.integer }
        let isFalling = zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 }
        #expect(numbers.count == history.count && isFalling, "\(place): \(numbers)")
        let inForce = numbers.first ?? 0
        #expect(inForce >= newest, "\(place): revision \(inForce) after \(newest)")
        #expect(shown["revision"] == .integer(inForce), "\(place)")
        #expect(history.prefix(1).allSatisfy { $0["state"] == "inForce" }, "\(place)")
        var rows: [Int64: JSONValue] = [:]
        for (number, shown) in zip(numbers, history) {
            var row = shown
            row["state"] = nil  // it alone may differ from what was listed before
            if let before = listed[number] { #expect(row == before, "\(place): revision \(number) is another one") }
            rows[number] = row
        }
        (newest, listed) = (inForce, rows)
    }
}
