// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

/// Boxes of one group that play one channel.
final class GroupScene {
    final class Member {
        let process: BoxProcess
        let socket: ControlSocket

        init(_ process: BoxProcess) throws {
            self.process = process
            socket = try ControlSocket(process.socket)
        }

        var group: JSONValue { get throws { try socket.ask("sync-group").result } }
        var isLeading: Bool { get throws { try group["role"] == "leading" } }
        var jumps: Int64 { get throws { try socket.ask("sync").result["jumps"]?.integer ?? -1 } }

        /// When the picture with time stamp 0 was on the screen or would have been, seconds, by the picture that is there
        /// now. A picture stays for a while, by which this is too late.
        func origin() throws -> Double {
            let answer = try socket.ask("stats")
            guard let shown = answer.result.at("/stats/stage/presentedPTS")?.number else {
                throw VenueError("nothing is presented")
            }
            return (answer.asked + answer.answered) / 2 - shown / 90_000
        }
    }

    /// How late a follower may be by its own measurement, milliseconds; among processes on one busy machine.
    static let nearby = 20.0
    /// How long a picture stays, seconds.
    static let picture = 0.04

    let venue: TestVenue
    private let target = StreamTarget()
    private let name = "lobby-\(UInt32.random(in: 0 ... .max))"
    private(set) var members: [Member] = []

    init(in venue: TestVenue) async throws {
        self.venue = venue
        let video = try await CountedVideo.make(in: venue)
        let input = ["-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy"]
        try venue.start(["ffmpeg", "-nostdin", "-loglevel", "error"] + input + target.output(), name: "ffmpeg")
    }

    /// - Parameter delay: milliseconds until the box can show a picture.
    @discardableResult
    func switchOn(delay: Int64, isAppointed: Bool = false) async throws -> Member {
        let sync: JSONValue = [
            "serve": ["isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0],
            "group": ["name": .string(name), "key": "0123456789abcdef", "isAppointed": .bool(isAppointed)],
        ]
        let process = try await BoxProcess(
            ["channels": [target.json], "sync": sync, "playback": ["playoutDelayMs": .integer(delay)]], in: venue)
        try await process.tune("One")
        let member = try Member(process)
        members.append(member)
        return member
    }

    func leader() throws -> Member {
        guard let leader = try members.first(where: { try $0.isLeading }) else { throw VenueError("nobody leads") }
        return leader
    }

    var followers: [Member] { get throws { try members.filter { try !$0.isLeading } } }

    /// Ends the box, which has no time to say anything.
    func kill(_ member: Member) async throws {
        members.removeAll { $0 === member }
        member.process.process.signal(SIGKILL)
        _ = try await member.process.process.exitCode(within: .seconds(5))
    }

    // MARK: Together

    /// Waits until one box leads and all others are locked to it: they present together with it by their own measurement,
    /// at three looks in a row.
    func lock(_ phase: String, within limit: Double = 30) async throws {
        let (began, end) = (Date(), Date() + limit)
        var good = 0
        while good < 3 {
            good = try isTogether() ? good + 1 : 0
            guard Date() < end else { throw VenueError("\(phase): \(try state())") }
            try await Task.sleep(for: .milliseconds(200))
        }
        let errors = try followers.map { try $0.socket.ask("sync").result["errorUs"]?.integer ?? .max }
        print("group, \(phase): \(errors) us late after \(-began.timeIntervalSinceNow) s")
    }

    func isTogether() throws -> Bool {
        let groups = try members.map { try $0.group }
        let isOneLed = groups.filter { $0["role"] == "leading" }.count == 1
        let areLocked = groups.allSatisfy { $0["isLocked"] == true && $0["leader"] == groups[0]["leader"] }
        guard isOneLed, areLocked else { return false }
        return try followers.allSatisfy { member in
            let report = try member.socket.ask("sync").result
            guard report["phase"] == "following", let error = report["errorUs"]?.integer else { return false }
            return Double(error.magnitude) <= Self.nearby * 1_000
        }
    }

    private func state() throws -> String {
        try members.map { "\(try $0.group.text())\n\(try $0.socket.ask("sync").result.text())" }
            .joined(separator: "\n")
    }

    // MARK: What is presented

    /// Medians of the origins of each second, for each box. Looks cost a box something, so that they are few.
    func watch(_ watched: [Member], until isEnough: () throws -> Bool) async throws -> [[Double]] {
        var medians = watched.map { _ in [Double]() }
        while try !isEnough() {
            var origins = watched.map { _ in [Double]() }
            let end = Date() + 1
            while Date() < end {
                for (index, member) in watched.enumerated() { origins[index].append(try member.origin()) }
                try await Task.sleep(for: .milliseconds(90))
            }
            for index in watched.indices { medians[index].append(ToneAnalysis.median(origins[index])) }
        }
        return medians
    }

    func watch(_ watched: [Member], seconds: Int) async throws -> [[Double]] {
        var left = seconds + 1
        return try await watch(watched) {
            left -= 1
            return left == 0
        }
    }
}
