// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Numbers read off the screen, each with when it stood there.
struct CounterLooks {
    struct Look {
        /// The middle of asking and answering, in seconds. Of every look the same part of it is before the reading.
        let time: Double
        let number: Int
    }

    let looks: [Look]

    /// - Parameter pause: between looks, no multiple of a picture's time.
    static func take(_ count: Int, of box: ControlSocket, pause: Double = 0.053, in venue: TestVenue) async throws
        -> CounterLooks
    {
        var (times, paths): ([Double], [String]) = ([], [])
        for index in 0..<count {
            if index > 0 { try await Task.sleep(for: .seconds(pause)) }
            let answer = try box.ask("screenshot")
            guard let picture = answer.result["png"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
                throw VenueError("no picture in the answer")
            }
            let path = venue.directory.file("look-\(index).png")
            try picture.write(to: URL(fileURLWithPath: path))
            times.append((answer.asked + answer.answered) / 2)
            paths.append(path)
        }
        let numbers = try await Screenshots(paths, in: venue).numbers
        return CounterLooks(
            looks: zip(times, numbers).compactMap { time, number in number.map { Look(time: time, number: $0) } })
    }

    /// When the picture with number 0 stood there or would have, were it always played as it is now.
    var origin: Double {
        let origins = looks.map { $0.time - (Double($0.number) + 0.5) / Double(CountedVideo.rate) }
        return origins.reduce(0, +) / Double(max(1, origins.count))
    }

    /// All from the same origin: it plays, without a jump among them.
    var isSteady: Bool {
        looks.count > 1
            && looks.allSatisfy {
                abs($0.time - (Double($0.number) + 0.5) / Double(CountedVideo.rate) - origin) < 0.06
            }
    }

    var isStanding: Bool { Set(looks.map(\.number)).count == 1 }
}
