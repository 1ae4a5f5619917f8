// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

/// A channel of counted pictures, a television that is on its timeline, and a box that plays it and follows.
final class TelevisionScene {
    /// What `sync` answers.
    struct Reading {
        /// In seconds of `ControlSocket.now`.
        let time: Double
        let phase: String
        let state: String
        /// How late the box presents by itself, milliseconds; nil while it does not know.
        let error: Double?
        /// How wrong that may be, milliseconds.
        let bound: Double
        let partsPerMillion: Double
        let jumps: Int64
    }

    let venue: TestVenue
    let television: Television
    let box: BoxProcess
    let socket: ControlSocket
    private var trace: SyncTrace
    /// Time stamp of the picture with number 0.
    private let first: Double
    /// How far behind what the box would play the television is, seconds.
    private static let behind = 2.0
    /// In how many seconds a session is locked to a timeline that is there.
    private static let locking = 3.0
    static let stem = "dvb://233a.1004.1044"

    /// How the box knows of the television.
    enum Way {
        /// By its CSS-CII.
        case told
        /// By settings alone, which have one timeline.
        case stated(selector: String, ticksPerSecond: Int64)
    }

    enum Medium { case channel, file }

    private static func settings(_ way: Way, of television: Television) -> JSONValue {
        switch way {
        case .told:
            // Other content is not followed.
            let media: JSONValue = [["contentId": .string(stem), "isRequired": true]]
            return ["television": .string(television.url), "media": media]
        case .stated(let selector, let ticksPerSecond):
            let stated: JSONValue = [
                "wcUrl": .string(television.wallClockURL), "tsUrl": .string(television.timelineURL),
                "contentIdStem": .string(stem), "selector": .string(selector),
                "unitsPerSecond": .integer(ticksPerSecond),
            ]
            return ["stated": stated]
        }
    }

    /// Opens all of it, and sees the box find the television and the channel.
    /// - Parameter more: settings of `sync`, over those that name the television.
    static func open(
        _ way: Way = .told, playing medium: Medium = .channel, sync more: JSONValue = [:],
        _ body: (TelevisionScene) async throws -> Void
    ) async throws {
        try await TestVenue.open { venue in
            let (target, video) = (StreamTarget(), try await CountedVideo.make(seconds: 120, in: venue))
            var first = try await firstTimeStamp(of: video.path, in: venue)
            if medium == .file {
                // The time of a file is counted from the beginning of whatever begins first.
                let picture = try await readFirstTimeStamp(of: video.path, stream: "v", in: venue)
                first = picture - min(picture, try await readFirstTimeStamp(of: video.path, stream: "a", in: venue))
            }
            let television = try await Television(in: venue)
            let sync = settings(way, of: television).merging(patch: more)
            var document: JSONValue = ["channels": [target.json], "sync": sync]
            if medium == .file {
                let film: JSONValue = ["name": "Film", "items": [["file": .string(video.path)]]]
                document = document.merging(patch: ["playlists": [film], "playback": ["autoPlay": true]])
            }
            let box = try await BoxProcess(document, in: venue)
            let scene = try TelevisionScene(venue, television, box, first: first)
            try await scene.awaitReading("the television") { $0.phase == "timelineUnavailable" }
            let presents = if case .told = way { ["presents \(Television.content)"] } else { [String]() }
            try scene.expect([], television: ["found"] + presents, "found")
            #expect(try scene.reading().state == "initialised")
            switch medium {
            case .channel:
                try venue.start(StreamTarget.paced([video.path]) + target.output(), name: "ffmpeg")
                try await box.tune("One")
            case .file: _ = try await box.answer("playlist", "Film")
            }
            try scene.expect(["syncTimelineUnavailable"], "tuned")
            let hasPast = try await eventually(within: .seconds(10)) {
                let position = try scene.socket.ask("position").result
                let past = medium == .channel ? position["availableMs"] : position["progressMs"]
                return past?.integer ?? 0 > 3_000
            }
            guard hasPast else { throw VenueError("what is played has no past") }
            try await body(scene)
        }
    }

    private init(_ venue: TestVenue, _ television: Television, _ box: BoxProcess, first: Double) throws {
        (self.venue, self.television, self.box, self.first) = (venue, television, box, first)
        socket = try ControlSocket(box.socket)
        trace = SyncTrace(socket)
    }

    /// The multiplexer gives the same time stamps to a file as to the network.
    /// - Parameter stream: `v` for its pictures, `a` for its sound.
    static func firstTimeStamp(of path: String, stream: String = "v", in venue: TestVenue) async throws -> Double {
        let file = venue.directory.file("first.ts")
        let copy = ["-t", "1", "-i", path, "-c", "copy", "-f", "mpegts", file]
        try await venue.succeed(CountedVideo.ffmpeg + copy)
        return try await readFirstTimeStamp(of: file, stream: stream, in: venue)
    }

    private static func readFirstTimeStamp(
        of file: String, stream: String, in venue: TestVenue
    ) async throws -> Double {
        let probe = try await venue.succeed([
            "ffprobe", "-loglevel", "error", "-read_intervals", "%+1", "-select_streams", stream, "-show_entries",
            "packet=pts", "-of", "csv=p=0", file,
        ])
        let stamps = probe.outputText.split(whereSeparator: { !$0.isNumber }).compactMap { Double($0) }
        guard let first = stamps.min() else { throw VenueError("no time stamps: \(probe.messages)") }
        return first
    }

    /// The television goes on two seconds behind what the box presents, and the box goes there.
    /// - Returns: the television's position.
    func lock() async throws -> Television.Position {
        let answer = try socket.ask("stats")
        let shown = try #require(answer.result.at("/stats/stage/presentedPTS")?.number)
        let late = ControlSocket.now() - answer.answered
        try await television.obey("seek \(Int(shown + (late - Self.behind) * 90_000))")
        let position = try await television.obey("available")
        try await settle("lock")
        let lines = try newLines()
        #expect(lines.states == ["syncTimelineAvailable", "running", "synchronising", "running"], "locked")
        #expect(lines.television.isEmpty, "locked")
        let took = (lines.times.last ?? .nan) - (lines.times.first ?? .nan)
        print("television, locked: \(took) s after its timeline was there, by the events of the box")
        #expect(took <= Self.locking)
        return position
    }

    // MARK: By the box

    func reading() throws -> Reading {
        let answer = try socket.ask("sync")
        func milliseconds(_ name: String) -> Double? { answer.result[name]?.number.map { $0 / 1_000 } }
        return Reading(
            time: (answer.asked + answer.answered) / 2, phase: answer.result["phase"]?.string ?? "",
            state: answer.result["state"]?.string ?? "", error: milliseconds("errorUs"),
            bound: milliseconds("boundUs") ?? .infinity,
            partsPerMillion: answer.result["ratePpm"]?.number ?? .infinity,
            jumps: answer.result["jumps"]?.integer ?? -1)
    }

    /// Reads every 50 ms.
    func watch(_ seconds: Double) async throws -> [Reading] {
        let end = ControlSocket.now() + seconds
        var readings: [Reading] = []
        while ControlSocket.now() < end {
            readings.append(try reading())
            try await Task.sleep(for: .milliseconds(50))
        }
        return readings
    }

    func awaitReading(_ what: String, within limit: Duration = .seconds(10), _ fits: (Reading) -> Bool) async throws {
        guard try await eventually(within: limit, { fits(try reading()) }) else {
            throw VenueError("\(what): \(try reading())\n\(try socket.ask("sync").result.text())")
        }
    }

    /// Waits until the box knows that it is where the television is, within the dead band.
    /// - Parameter jumps: of before, if it has to jump.
    func settle(_ what: String, afterJumps jumps: Int64 = -1) async throws {
        try await awaitReading("\(what) does not settle") { reading in
            reading.state == "running" && reading.jumps > jumps && reading.error.map { abs($0) <= 20 } ?? false
        }
    }

    /// What was told since the last call.
    /// - Parameter mayCorrect: whether an error by the delay between television and box may have been corrected.
    func expect(
        _ states: [String], television: [String] = [], _ phase: String, mayCorrect: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let new = try newLines()
        let allowed = mayCorrect ? [states, states + ["synchronising", "running"]] : [states]
        #expect(allowed.contains(new.states), "\(phase): \(new.states)", sourceLocation: sourceLocation)
        #expect(new.television == television, "\(phase)", sourceLocation: sourceLocation)
    }

    func newLines() throws -> SyncTrace.Lines { try trace.new() }

    // MARK: By others

    /// How late the box presents, seconds, by the numbers in its pictures and by the television.
    func latenessByPictures(of position: Television.Position) async throws -> Double {
        let looks = try await CounterLooks.take(9, of: socket, in: venue)
        guard looks.looks.count > 6 else { throw VenueError("\(looks.looks.count) pictures have a number") }
        return looks.origin - origin(by: position)
    }

    /// The same, by the time stamps of its pictures and the moments at which they became visible.
    func latenessByTimeStamps(of position: Television.Position) async throws -> Double {
        var record = PresentationRecord(socket)
        try record.read()
        let begin = ControlSocket.now()
        try await Task.sleep(for: .milliseconds(600))
        try record.read()
        let origins = record.shown.filter { $0.time >= begin }.map { $0.time - (Double($0.pts) - first) / 90_000 }
        guard origins.count > 6 else { throw VenueError("\(origins.count) pictures were shown") }
        return ToneAnalysis.median(origins) - origin(by: position)
    }

    /// When the television had the picture with number 0 or would have had it, seconds.
    private func origin(by position: Television.Position) -> Double {
        position.time + (first - position.ticks) / 90_000
    }

    // MARK: Sound

    struct Sound {
        let skipped: Int64
        let silence: Int64
        let underruns: Int64
    }

    func sound() async throws -> Sound {
        let values = try await box.counters(
            "/sessionSound/skippedFrames", "/sessionSound/silenceFrames", "/sound/underruns")
        return Sound(skipped: values[0], silence: values[1], underruns: values[2])
    }
}
