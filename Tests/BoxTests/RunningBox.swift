// SPDX-License-Identifier: Apache-2.0
import Box
import CommandLineClient
import Control
import ControlClient
import JSON
import Synchronization
import System
import Testing
import Time
import Venue

import class Foundation.FileManager

/// A whole box on a thread of this process, with a directory and a socket of its own.
final class RunningBox: Sendable {
    let directory: String
    let socket: String
    private let thread: DedicatedThread
    private let outcome = Outcome()
    private let isEnded = Mutex(false)

    final class Outcome: Sendable {
        let status = Mutex<Status?>(nil)
    }

    /// - Parameter settings: its document; the socket is set by option.
    /// - Parameter change: of the options of its command line.
    /// - Parameter made: is given the box on its thread before it runs.
    init(
        _ settings: JSONValue, change: (inout BoxOptions) -> Void = { _ in },
        made: @escaping @Sendable (Box) -> Void = { _ in }
    ) throws {
        directory = "/tmp/touchline-box-" + (try BoxIdentity.random())
        try DurableFile.makeDirectory(directory)
        let settings = (["http": ["port": 0]] as JSONValue).merging(patch: settings)
        try DurableFile.write(Array(settings.text().utf8), to: directory + "/config.json")
        var options = Self.options(in: directory)
        change(&options)
        socket = directory + "/control.sock"
        thread = try Self.start(options, outcome, made)
    }

    /// The same box after its end: with what it kept.
    /// - Parameters:
    ///   - other: ended by `end(isKept: true)`.
    ///   - ownSocket: the socket that its settings say; nil if the option says it.
    ///   - change: of the options of its command line.
    init(
        restarting other: RunningBox, listeningTo ownSocket: String? = nil,
        change: (inout BoxOptions) -> Void = { _ in }
    ) throws {
        (directory, socket) = (other.directory, ownSocket ?? other.socket)
        var options = Self.options(in: directory)
        if ownSocket != nil { options.socket = nil }
        change(&options)
        thread = try Self.start(options, outcome) { _ in }
    }

    private static func start(
        _ options: BoxOptions, _ outcome: Outcome, _ made: @escaping @Sendable (Box) -> Void
    ) throws -> DedicatedThread {
        try DedicatedThread("box") {
            let status = run(options, made)
            outcome.status.withLock { $0 = status }
        }
    }

    static func options(in directory: String) -> BoxOptions {
        var options = BoxOptions()
        options.configuration = directory + "/config.json"
        options.image = directory + "/image.json"
        options.stateDirectory = directory + "/state"
        options.socket = directory + "/control.sock"
        return options
    }

    /// Runs a box to its end.
    static func run(_ options: BoxOptions, _ made: (Box) -> Void = { _ in }) -> Status {
        do {
            let signals = try SignalWatch()
            let box = try Box(options)
            made(box)
            try box.run(until: signals)
            return .ok
        } catch let status as Status {
            return status
        } catch {
            return .failure(.failed, "\(error)")
        }
    }

    /// Runs the client; what it wrote, and its exit code.
    func client(_ words: String...) -> (output: String, messages: [String], code: CInt) { run(words) }

    private func run(_ words: [String]) -> (output: String, messages: [String], code: CInt) {
        let written = Mutex<[UInt8]>([])
        let told = Mutex<[String]>([])
        let streams = ClientStreams(
            write: { octets in written.withLock { $0 += octets } }, tell: { line in told.withLock { $0.append(line) } },
            isTerminal: false, isStyled: false)
        let code = CommandLineClient.run(["--socket", socket] + words, streams: streams)
        return (String(decoding: written.withLock { $0 }, as: UTF8.self), told.withLock { $0 }, code)
    }

    /// The result of a command; its failure as `errorString` when it has one.
    func answer(_ words: String...) throws -> JSONValue { try answer(words) }

    func answer(_ words: [String]) throws -> JSONValue {
        let (output, messages, code) = run(words + ["--json"])
        return code == 0 ? try JSONValue.parse(output) : ["errorString": .string(messages.joined(separator: "\n"))]
    }

    /// Merges a patch into the settings, by the socket.
    func merge(_ patch: JSONValue) throws -> JSONValue {
        let file = directory + "/patch.json"
        try DurableFile.write(patch.octets(), to: file)
        return try answer("config", "merge", file)
    }

    /// The result of a command with `--json`, asked again until it satisfies or `span` is over.
    func await(
        _ words: String..., within span: Nanoseconds = .seconds(10), until isRight: (JSONValue) -> Bool
    ) throws -> JSONValue {
        let deadline = SystemClock.monotonic() + span
        var answer = JSONValue.null
        let pause = EventPause()
        repeat {
            let (output, _, code) = words.count > 1 ? client(words[0], words[1], "--json") : client(words[0], "--json")
            if code == 0, let parsed = try? JSONValue.parse(output) {  // the box may not be there yet
                answer = parsed
                if isRight(parsed) { return parsed }
            }
            pause.wait()
        } while SystemClock.monotonic() < deadline
        Issue.record("\(words) never became right: \(answer.text())")
        return answer
    }

    /// The types of the events that the command `events` has answered.
    static func types(of events: JSONValue) -> [String] {
        (events["events"]?.array ?? []).compactMap { $0["type"]?.string }
    }

    /// Shuts the box down by command and waits for its end.
    /// - Parameter isKept: whether its directory stays, for a restart.
    func end(isKept: Bool = false) -> Status? {
        isEnded.withLock { $0 = true }
        _ = client("shutdown")
        thread.join()
        if !isKept { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody
        return outcome.status.withLock { $0 }
    }

    /// A test that was broken off leaves its box.
    deinit { if !isEnded.withLock({ $0 }) { _ = end() } }
}
