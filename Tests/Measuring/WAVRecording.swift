// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a box with sound of kind `wav` has written so far. 16-bit PCM; the file's length counts, not its header's.
public struct WAVRecording: Sendable {
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    public let sampleRate: Int
    /// -1...1 of one channel.
    public let samples: [Float]

    public static let headerOctets = 44

    /// - Parameter channel: from 0; a file without it is an error.
    public init(_ path: String, channel: Int = 0) throws {
        guard let data = FileManager.default.contents(atPath: path) else { throw Fault(description: "no file \(path)") }
        try self.init(Array(data), channel: channel)
    }

    public init(_ bytes: [UInt8], channel: Int = 0) throws {
        func number(_ offset: Int, _ octets: Int) -> Int {
            (0..<octets).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        guard bytes.count >= Self.headerOctets, bytes.starts(with: Array("RIFF".utf8)),
            bytes[8..<16].elementsEqual("WAVEfmt ".utf8), number(34, 2) == 16, channel < number(22, 2)
        else { throw Fault(description: "no WAV file of 16 bits with channel \(channel)") }
        let frameOctets = number(22, 2) * 2
        sampleRate = number(24, 4)
        samples = (0..<(bytes.count - Self.headerOctets) / frameOctets).map { frame in
            let place = Self.headerOctets + frame * frameOctets + channel * 2
            return Float(Int16(truncatingIfNeeded: number(place, 2))) / 32_768
        }
    }

    public init(sampleRate: Int = 48_000, samples: [Float]) {
        self.sampleRate = sampleRate
        self.samples = samples
    }

    public var seconds: Double { Double(samples.count) / Double(sampleRate) }

    /// - Parameter range: seconds from the first sample; what is beyond the end is left out.
    public func part(_ range: Range<Double>) -> WAVRecording {
        let first = min(samples.count, max(0, Int(range.lowerBound * Double(sampleRate))))
        let last = min(samples.count, max(first, Int(range.upperBound * Double(sampleRate))))
        return WAVRecording(sampleRate: sampleRate, samples: Array(samples[first..<last]))
    }

    /// The last seconds.
    public func last(_ seconds: Double) -> WAVRecording { part(self.seconds - seconds..<self.seconds) }
}
