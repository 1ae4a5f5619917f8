// SPDX-License-Identifier: Apache-2.0

/// A PID of the program whose packets must keep coming.
struct WatchedStream: Sendable, Equatable {
    let pid: UInt16
    let carriesClock: Bool
    /// Whether it is video or audio, whose units must have a PTS.
    let hasTimes: Bool

    /// The video, audio and PCR PIDs of a program, in its order; at most `limit`.
    static func all(of program: Program, limit: Int) -> [WatchedStream] {
        var result: [WatchedStream] = []
        for stream in program.streams where stream.codec.isVideo || stream.codec.isAudio {
            guard result.count < limit - 1 else { break }
            guard !result.contains(where: { $0.pid == stream.pid }) else { continue }
            result.append(
                WatchedStream(pid: stream.pid, carriesClock: stream.pid == program.pcrPID, hasTimes: true))
        }
        if let clock = program.pcrPID, !result.contains(where: { $0.pid == clock }) {
            result.append(WatchedStream(pid: clock, carriesClock: true, hasTimes: false))
        }
        return result
    }
}
