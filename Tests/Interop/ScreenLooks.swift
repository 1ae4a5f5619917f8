// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// What stood on a box's screen from time to time, by its own screenshots.
struct ScreenLooks {
    struct Look {
        /// When the picture was asked for and when it had come, in seconds of `ControlSocket.now`.
        let asked: Double
        let answered: Double
        /// Nothing that anybody could see.
        let isBlack: Bool
        /// Of a counted video; nil: a slate.
        let number: Int?
    }

    let looks: [Look]

    /// Looks again and again for so many seconds.
    static func take(of box: ControlSocket, for seconds: Double, in venue: TestVenue) async throws -> ScreenLooks {
        try await take(of: box, in: venue) { elapsed, _ in elapsed >= seconds }
    }

    /// Looks until pictures have followed each other for a second, but no longer than `limit` seconds.
    static func takeUntilItMoves(
        of box: ControlSocket, within limit: Double, in venue: TestVenue
    ) async throws -> ScreenLooks {
        var (last, changes, movesSince) = (Data(), 0, Double.infinity)
        return try await take(of: box, in: venue) { elapsed, picture in
            // The first change is from nothing, and another from a slate or a held picture to the first picture.
            changes = picture == last ? 0 : changes + 1
            last = picture
            if changes == 4 { movesSince = min(movesSince, elapsed) }
            return elapsed >= min(limit, movesSince + 1)
        }
    }

    private static func take(
        of box: ControlSocket, in venue: TestVenue, isEnough: (_ elapsed: Double, _ picture: Data) -> Bool
    ) async throws -> ScreenLooks {
        var (times, paths): ([(Double, Double)], [String]) = ([], [])
        let began = ControlSocket.now()
        while true {
            let answer = try box.ask("screenshot")
            guard let picture = answer.result["png"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
                throw VenueError("no picture in the answer")
            }
            paths.append(venue.directory.file("screen-\(UInt32.random(in: 0 ... .max)).png"))
            try picture.write(to: URL(fileURLWithPath: paths[paths.count - 1]))
            times.append((answer.asked, answer.answered))
            if isEnough(ControlSocket.now() - began, picture) { break }
            try await Task.sleep(for: .milliseconds(150))
        }
        var looks: [Look] = []
        for start in stride(from: 0, to: paths.count, by: 40) {
            let part = Array(paths[start...].prefix(40))
            let shots = try await Screenshots(part, in: venue)
            looks += part.indices.map { index in
                Look(
                    asked: times[start + index].0, answered: times[start + index].1, isBlack: shots.isBlack(index),
                    number: shots.numbers[index])
            }
        }
        return ScreenLooks(looks: looks)
    }

    var hasBlack: Bool { looks.contains(where: \.isBlack) }

    /// The first moment from which numbers follow each other; nil when they never do.
    var movesSince: Double? {
        zip(looks, looks.dropFirst()).first { look, next in
            guard let number = look.number, let following = next.number else { return false }
            return number > 0 && following != number
        }?.1.answered
    }
}
