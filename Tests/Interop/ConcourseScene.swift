// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

/// Boxes of a concourse of which the first one leads, with what each has shown and sounded.
final class ConcourseScene {
    struct Member {
        let box: BoxProcess
        let socket: ControlSocket
        /// The file of its sound.
        let sound: String
        var record: PresentationRecord
    }

    /// A vblank of the boxes, which draw 50 times a second, and a millisecond.
    static let together = 0.021
    static let soundTogether = 0.001

    private let concourse: Concourse
    private(set) var members: [Member] = []

    init(_ concourse: Concourse) { self.concourse = concourse }

    var leader: ControlSocket { members[0].socket }
    private var followers: ArraySlice<Member> { members.dropFirst() }

    /// Adds a box that needs so many milliseconds until it can show a picture, and tunes it.
    func add(delay: Int64) async throws {
        let index = members.count
        let sound = concourse.venue.directory.file("sound-\(index).wav")
        let sync: JSONValue =
            index == 0
            ? ["serve": ["isEnabled": true, "addresses": [.string(Concourse.address(0))]]]
            : ["television": .string("ws://\(Concourse.address(0)):7681/cii"), "leader": "box"]
        let box = try await concourse.addBox([
            "sync": sync, "playback": ["playoutDelayMs": .integer(delay)],
            "sound": ["kind": "wav", "wavPath": .string(sound)],
        ])
        let socket = try ControlSocket(box.socket)
        members.append(
            Member(box: box, socket: socket, sound: sound, record: PresentationRecord(socket)))
        _ = try socket.ask("tune", ["channel": "One"])
    }

    /// Waits until all followers present within 20 ms of the leader by what they know, and the same a moment later.
    /// - Returns: seconds that this took.
    func lock(_ phase: String, within limit: Double = 20) async throws -> Double {
        let began = ControlSocket.now()
        var locked: Double?
        while true {
            let reports = try followers.map { try $0.socket.ask("sync").result }
            let now = ControlSocket.now()
            let isLocked = reports.allSatisfy { report in
                ["running", "synchronising"].contains(report["state"]?.string)
                    && report["errorUs"]?.integer.map { abs($0) <= 20_000 } ?? false
            }
            locked = isLocked ? locked ?? now : nil
            if let locked, now - locked > 0.5 { return locked - began }
            guard now - began < limit else { throw VenueError("\(phase): \(reports)") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until the followers have corrected what they know of, and the sound of all of them is with their pictures.
    private func settle(_ phase: String) async throws {
        let isSettled = try await eventually(within: .seconds(20)) {
            try followers.allSatisfy { member in
                try member.socket.ask("sync").result["errorUs"]?.integer.map { abs($0) <= 400 } ?? false
            }
                && members.allSatisfy { member in
                    let error = try member.socket.ask("stats").result.at("/stats/sessionSound/errorUs")?.integer
                    return error.map { abs($0) <= 400 } ?? false
                }
        }
        if !isSettled { throw VenueError("\(phase): \(try followers.map { try $0.socket.ask("sync").result })") }
    }

    /// Lets them play once they have settled, and compares when each picture was shown.
    func expectTogether(_ phase: String, for seconds: Double, share: Double) async throws {
        try await settle(phase)
        let clocks = try watchSound(for: seconds)
        let range = ControlSocket.now() - seconds...ControlSocket.now()
        try await Task.sleep(for: .seconds(1.5))
        try readRecords()
        let spreads = PresentationRecord.spreads(members.map(\.record), range)
        let near = spreads.count { $0 <= Self.together }
        let sorted = spreads.sorted()
        print(
            "concourse, \(phase): \(near) of \(spreads.count) pictures within \(Self.together) s, median",
            "\(sorted.isEmpty ? .infinity : sorted[sorted.count / 2]), most \(sorted.last ?? .infinity)")
        #expect(Double(spreads.count) >= 0.95 * seconds * Double(CountedVideo.rate), "\(phase): \(spreads.count)")
        #expect(Double(near) >= share * Double(spreads.count), "\(phase): \(near) of \(spreads.count)")
        try expectSoundTogether(phase, range, clocks, share: share)
    }

    func readRecords() throws {
        for index in members.indices { try members[index].record.read() }
    }

    /// The time stamp of the picture that stands on each screen; nil if its log has none.
    func heldPictures() throws -> [Int64?] {
        try readRecords()
        let now = ControlSocket.now()
        return members.map { $0.record.picture(at: now) }
    }

    /// Each of the looks shows a picture that the log has at that time.
    func expectLogsTrue(looks count: Int) async throws {
        let video = Int64(CountedVideo.frameSpan)
        for index in members.indices {
            let part = count / members.count
            let looks = try await CounterLooks.take(part, of: members[index].socket, pause: 0.11, in: concourse.venue)
            try members[index].record.read()
            let record = members[index].record
            // On a busy machine several pictures come while one is read.
            let pictures = looks.looks.map { look in
                record.pictures(in: look.time - look.took / 2...look.time + look.took / 2)
            }
            // Numbers and time stamps begin anew together, where the film does: the distance of the two is that of all looks.
            let origins = zip(looks.looks, pictures).map { look, pictures in
                Set(pictures.map { $0 / video - Int64(look.number) })
            }
            let fitting = Set(origins.joined()).map { origin in origins.count { $0.contains(origin) } }.max() ?? 0
            #expect(looks.looks.count == part && fitting == part, "box \(index): \(fitting) of \(part)")
        }
    }

    // MARK: Sound

    /// When the frames of each box's file are heard.
    private func watchSound(for seconds: Double) throws -> [SoundClock] {
        try SoundClock.watching(members.map(\.sound), seconds: seconds)
    }

    private func expectSoundTogether(
        _ phase: String, _ range: ClosedRange<Double>, _ clocks: [SoundClock], share: Double
    ) throws {
        let recordings = try members.map { try WAVRecording($0.sound) }
        var errors: [Double] = []
        var missed = 0
        for moment in stride(from: range.lowerBound, to: range.upperBound - 0.5, by: 0.5) {
            let start = moment - clocks[0].start
            for index in members.indices.dropFirst() {
                let expected = clocks[0].start - clocks[index].start
                guard
                    let offset = SoundOffset(
                        recordings[0], at: start, in: recordings[index], near: expected, within: 0.1),
                    offset.likeness > 0.7
                else {
                    missed += 1
                    continue
                }
                errors.append(abs(offset.seconds - expected))
            }
        }
        let near = errors.count { $0 <= Self.soundTogether }
        let sorted = errors.sorted()
        print(
            "concourse, \(phase): sound \(near) of \(errors.count) within \(Self.soundTogether) s, median",
            "\(sorted.isEmpty ? .infinity : sorted[sorted.count / 2]), most \(sorted.last ?? .infinity), \(missed) unlike"
        )
        #expect(Double(near) >= share * Double(errors.count + missed), "\(phase): \(near), \(missed) unlike")
    }
}
