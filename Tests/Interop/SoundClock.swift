// SPDX-License-Identifier: Apache-2.0
import Foundation
import Measuring

/// When the frames of a growing WAV file are heard, found from the file alone: each period is written when the device
/// that is pretended has room for it, and whoever is late to write or to look can only be late.
struct SoundClock {
    /// Of the first frame, on the clock of `ControlSocket.now()`.
    let start: Double

    private static let frameOctets = 4
    private static let rate = 48_000.0
    /// A period is written so long before it is heard, and then ends the file: a buffer of 40 ms, a period of 10.
    static let lead = 0.05

    /// - Parameter sightings: when the file was seen to have grown, and to how many frames.
    init(sightings: [(time: Double, frames: Int)]) throws {
        guard let earliest = sightings.map({ $0.time - Double($0.frames) / Self.rate }).min() else {
            throw VenueError("the file does not grow")
        }
        start = earliest + Self.lead
    }

    /// Watches the file grow.
    static func watching(_ path: String, seconds: Double) throws -> SoundClock {
        try watching([path], seconds: seconds)[0]
    }

    /// Watches files grow.
    static func watching(_ paths: [String], seconds: Double) throws -> [SoundClock] {
        var sightings = paths.map { _ in [(time: Double, frames: Int)]() }
        var (about, last) = (stat(), paths.map { _ in -1 })
        let end = ControlSocket.now() + seconds
        while ControlSocket.now() < end {
            for (index, path) in paths.enumerated() {
                guard stat(path, &about) == 0 else { throw VenueError("no file \(path)") }
                let frames = (Int(about.st_size) - WAVRecording.headerOctets) / frameOctets
                // The first sight of it says nothing of when it had grown.
                if frames != last[index], last[index] >= 0 { sightings[index].append((ControlSocket.now(), frames)) }
                last[index] = frames
            }
            usleep(500)
        }
        return try sightings.map { try SoundClock(sightings: $0) }
    }
}
