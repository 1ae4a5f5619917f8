// SPDX-License-Identifier: Apache-2.0
import Media
import System
import TestSupport
import Testing
import Time

@testable import Codecs

/// Feeds the decoder of `vicodec` and takes what it gives, as a decode thread would.
final class GuestDrive {
    struct Seen: Equatable {
        /// Zero: not looked at.
        let mark: Int
        let width: Int
        let height: Int
        let pts: Int64
        let isDamaged: Bool
    }

    /// A picture that is not given back yet.
    final class Kept {
        private let frame: VideoFrame
        var mark: Int { frame.mark() }
        init(_ frame: consuming VideoFrame) { self.frame = frame }
    }

    let decoder: HardwareDecoder
    var computesSums = false
    /// Of so many pictures it looks at one.
    var looksAtEach = 1
    private var count = 0
    private(set) var sums: [UInt64] = []
    private(set) var seen: [Seen] = []
    private var time: Int64 = 0

    /// - Parameter mostInVain: nil: it is fed pieces.
    init(coded: Int = 2, spare: Int = 2, size: DecoderNeed.Size? = nil, mostInVain: Int? = 16) throws {
        decoder = try HardwareDecoder(
            opening: try Self.node(), decoding: .fwht, size: size, codedBuffers: coded, sparePictures: spare,
            mostInVain: mostInVain)
    }

    /// - Parameter pictures: the one format of them that the device is taken to have.
    init(pictures: FourCC) throws {
        decoder = try HardwareDecoder(
            opening: try Self.node(), decoding: .fwht, pictures: pictures, codedBuffers: 2, sparePictures: 2)
    }

    static func node() throws -> String { try #require(Guest.videoNode(named: "stateful-decoder")) }

    func take() throws {
        while let frame = try decoder.take() { see(frame) }
    }

    func keep() throws -> Kept? {
        guard let frame = try decoder.take() else { return nil }
        return Kept(frame)
    }

    private func see(_ frame: borrowing VideoFrame) {
        count += 1
        if computesSums { sums.append(frame.sum()) }
        seen.append(
            Seen(
                mark: count % looksAtEach == 0 ? frame.mark() : 0, width: frame.width, height: frame.height,
                pts: frame.pts,
                isDamaged: frame.isDamaged))
    }

    /// What it gave since it was last asked.
    func takeSeen() -> [Seen] {
        defer { seen.removeAll(keepingCapacity: true) }
        return seen
    }

    /// The unit of number n, from 0, is of the time n * 3 600.
    func feed(_ units: [[UInt8]]) throws {
        for unit in units {
            let limit = SystemClock.monotonic() + .seconds(30)
            while try !offer(unit) {
                try take()
                try #require(SystemClock.monotonic() < limit, "\(decoder.phase) \(decoder.counts)")
                try decoder.advance(atMost: .milliseconds(100))
            }
            try take()
        }
    }

    func offer(_ unit: [UInt8]) throws -> Bool {
        let described = AccessUnit(pts: time * 3_600, dts: 0, isRandomAccess: true, isDamaged: false)
        let isTaken = try unit.withUnsafeBytes { bytes in try decoder.offer(bytes, of: described) }
        if isTaken { time += 1 }
        return isTaken
    }

    func finish() throws {
        let limit = SystemClock.monotonic() + .seconds(30)
        try decoder.drain()
        while !decoder.isDrained {
            try take()
            try #require(SystemClock.monotonic() < limit, "\(decoder.phase) \(decoder.counts)")
            try decoder.advance(atMost: .milliseconds(100))
        }
        try take()
    }

    /// - Returns: all that it has given.
    @discardableResult
    func run(_ units: [[UInt8]]) throws -> [Seen] {
        try feed(units)
        try finish()
        return seen
    }
}
