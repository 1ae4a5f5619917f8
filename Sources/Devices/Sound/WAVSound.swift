// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// Writes what would be heard to a WAV file of 16 bits. The file is a timeline from the first frame on, silence
/// included. The header is updated for every second of sound, so that a killed process leaves a readable file.
public final class WAVSound: SoundOutput {
    public let name: String
    public let sampleRate = PacedTimeline.sampleRate
    public let period = PacedTimeline.sampleRate / 100
    public private(set) var underruns: Int64 = 0
    /// Frames that exceeded the limit.
    public private(set) var droppedFrames: Int64 = 0
    private let clock: any PacingClock
    private var timeline: PacedTimeline
    private var file: WAVFile

    /// - Parameters:
    ///   - path: an existing file is replaced.
    ///   - limit: octets of samples; later ones are counted and dropped, but still paced. At most what the format
    ///     allows, about six hours.
    /// - Throws: `.lost` if the file cannot be created.
    public init(
        path: String, limit: Int = .max, clock: any PacingClock = SystemPacingClock()
    ) throws(SoundError) {
        name = path
        self.clock = clock
        do throws(SystemCallError) {
            file = try WAVFile(creating: path, sampleRate: PacedTimeline.sampleRate, channels: 2, limit: limit)
            try file.updateHeader()
        } catch {
            throw .lost(error)
        }
        timeline = PacedTimeline(startingAt: clock.now())
    }

    deinit {
        // A failure cannot be reported from here; the header already covers all but the last second.
        try? file.updateHeader()
    }

    public func nextAudible() -> Monotonic { timeline.nextAudible }

    public func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundError) {
        let missed = timeline.skip(at: clock.now())
        if missed > 0 { underruns += 1 }
        do throws(SystemCallError) {
            if missed > 0 { droppedFrames += Int64(try file.appendSilence(missed)) }
            droppedFrames += Int64(try file.append(samples))
            clock.sleep(until: timeline.advance(by: samples.count / 2))
        } catch {
            clock.sleep(until: timeline.advance(by: samples.count / 2))  // keep the pace even if the disk is full
            throw .failed(error)
        }
    }
}
