// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time

@testable import Codecs

/// Feeds a decoder and takes what it gives, as a decode thread would.
final class DecoderDrive {
    struct Seen: Equatable {
        let value: UInt8
        let width: Int
        let pts: Int64
        var isDamaged = false
    }

    let device: FakeDecoder
    let decoder: HardwareDecoder
    private(set) var seen: [Seen] = []
    /// Of units that it feeds.
    var isDamaged = false
    private var time: Int64 = 0

    init(_ device: FakeDecoder, codedBuffers: Int = 4, sparePictures: Int = 4) throws {
        self.device = device
        decoder = try HardwareDecoder(
            device, decoding: .fwht, codedBuffers: codedBuffers, sparePictures: sparePictures, mostInVain: 16,
            clock: { device.now })
    }

    func take() throws {
        while let frame = try decoder.take() { seen.append(Seen(frame)) }
    }

    /// - Throws: the decoder's fault; a bug, when a unit is not taken within ten seconds of the device.
    func feed(_ units: [[UInt8]]) throws {
        for unit in units {
            let limit = device.now + .seconds(10)
            while try !offer(unit) {
                try take()
                try #require(device.now < limit, "\(decoder.phase) \(decoder.counts)")
                try decoder.advance(atMost: .milliseconds(20))
            }
            try take()
        }
    }

    @discardableResult
    func offer(_ unit: [UInt8]) throws -> Bool {
        let described = AccessUnit(pts: (time + 1) * 3_600, dts: 0, isRandomAccess: true, isDamaged: isDamaged)
        let isTaken = try unit.withUnsafeBytes { bytes in try decoder.offer(bytes, of: described) }
        if isTaken { time += 1 }
        return isTaken
    }

    func finish() throws {
        let limit = device.now + .seconds(10)
        try decoder.drain()
        while !decoder.isDrained {
            try take()
            try #require(device.now < limit)
            try decoder.advance(atMost: .milliseconds(20))
        }
        try take()
    }

    /// - Returns: what ended it, if not the end of the stream.
    func run(_ units: [[UInt8]]) throws -> DecoderFault? {
        do {
            try feed(units)
            try finish()
            return nil
        } catch let fault as DecoderFault {
            return fault
        }
    }
}

extension DecoderDrive.Seen {
    init(_ frame: borrowing VideoFrame) {
        self.init(
            value: frame.planes.0.base.load(as: UInt8.self), width: frame.width, pts: frame.pts,
            isDamaged: frame.isDamaged)
    }
}
