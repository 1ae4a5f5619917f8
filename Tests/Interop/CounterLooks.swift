// SPDX-License-Identifier: Apache-2.0
import Foundation
import Measuring

/// Numbers read off the screen, each with when it stood there.
struct CounterLooks {
    struct Look {
        /// The middle of asking and answering, in seconds. Of every look the same part of it is before the reading.
        let time: Double
        /// From asking to the answer, in seconds.
        let took: Double
        let number: Int

        /// When the picture with number 0 stood there or would have, were it always played as it is now.
        var origin: Double { time - (Double(number) + 0.5) / Double(CountedVideo.rate) }
    }

    let looks: [Look]

    /// - Parameter pause: between looks, no multiple of a picture's time.
    static func take(_ count: Int, of box: ControlSocket, pause: Double = 0.053, in venue: TestVenue) async throws
        -> CounterLooks
    {
        var (answers, paths): ([ControlSocket.Answer], [String]) = ([], [])
        for index in 0..<count {
            if index > 0 { try await Task.sleep(for: .seconds(pause)) }
            let answer = try box.ask("screenshot")
            guard let picture = answer.result["png"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
                throw VenueError("no picture in the answer")
            }
            let path = venue.directory.file("look-\(index).png")
            try picture.write(to: URL(fileURLWithPath: path))
            answers.append(answer)
            paths.append(path)
        }
        let numbers = try await Screenshots(paths, in: venue).numbers
        return CounterLooks(
            looks: zip(answers, numbers).compactMap { answer, number in
                number.map {
                    Look(
                        time: (answer.asked + answer.answered) / 2, took: answer.answered - answer.asked, number: $0)
                }
            })
    }

    /// The median of the looks', which one slow look does not move.
    var origin: Double { ToneAnalysis.median(looks.map(\.origin)) }

    /// All from the same origin: it plays, without a jump among them. A look that took longer than the quickest was read
    /// at an unknown moment of the time that it took more.
    var isSteady: Bool {
        let quickest = looks.map(\.took).min() ?? 0
        return looks.count > 1 && looks.allSatisfy { abs($0.origin - origin) < 0.06 + ($0.took - quickest) / 2 }
    }

    var isStanding: Bool { Set(looks.map(\.number)).count == 1 }
}
