// SPDX-License-Identifier: Apache-2.0

/// A PID of the program that is not to stay away.
struct WatchedStream: Sendable, Equatable {
    let pid: UInt16
    let carriesClock: Bool
    /// Pictures or sound, whose units are to have times.
    let hasTimes: Bool

    /// Pictures, sound and clock of a program, in its order; at most `limit`.
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
