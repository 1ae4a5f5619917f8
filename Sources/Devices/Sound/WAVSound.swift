// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import System

/// Writes what would be heard to WAV files of 16 bits. The header is brought up to date every second of sound, so that
/// a killed process leaves a readable file. WAV has one format: when rate or channels change, `sound.wav` is followed
/// by `sound-2.wav` and so on; so too when a file is full.
public final class WAVSound: SoundOutput {
    /// Frames that came after the limit.
    public private(set) var droppedFrames: Int64 = 0
    /// The files so far, in order.
    public private(set) var paths: [String] = []

    private let path: String
    private let limit: Int
    private var written = 0
    private var file: WAVFile?

    /// - Parameters:
    ///   - path: of the first file; an existing one is replaced.
    ///   - limit: octets of sound in all files together; what comes later is counted and dropped.
    public init(path: String, limit: Int = .max) {
        self.path = path
        self.limit = limit
    }

    public func write(_ block: AudioBlock) throws(SystemCallError) {
        let octets = block.samples.count * 2
        guard octets > 0 else { return }
        guard octets <= limit - written else {
            droppedFrames += Int64(block.frames)
            return
        }
        let current = try file(for: block, octets: octets)
        try current.append(block.samples)
        written += octets
    }

    public func close() throws(SystemCallError) {
        try file?.updateHeader()
        file = nil
    }

    private func file(for block: AudioBlock, octets: Int) throws(SystemCallError) -> WAVFile {
        if let file, file.takes(sampleRate: block.sampleRate, channels: block.channels, octets: octets) { return file }
        try close()
        let next = paths.isEmpty ? path : numbered(paths.count + 1)
        let opened = try WAVFile(creating: next, sampleRate: block.sampleRate, channels: block.channels)
        paths.append(next)
        file = opened
        return opened
    }

    private func numbered(_ number: Int) -> String {
        path.hasSuffix(".wav") ? "\(path.dropLast(4))-\(number).wav" : "\(path)-\(number)"
    }
}
