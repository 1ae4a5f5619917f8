// SPDX-License-Identifier: Apache-2.0
import Codecs
import Media
import System
import TestSupport
import Testing
import Time

/// The pictures that the decoder of `vicodec` makes of a stream, in its own buffers. It is as far ahead as it can be.
final class GuestPictures {
    let decoder: HardwareDecoder
    private let units: [[UInt8]]
    private var offered = 0
    private var isEnding = false

    /// - Parameter format: the one that the device is taken to have; nil: all that it has.
    init(_ stream: FWHTStream, _ format: FourCC? = nil) throws {
        let node = try #require(Guest.videoNode(named: "stateful-decoder"))
        decoder = try HardwareDecoder(
            opening: node, decoding: .fwht, pictures: format, codedBuffers: 2, sparePictures: 2)
        units = stream.units
    }

    /// - Returns: nil: there was none left.
    func next() throws -> VideoFrame? {
        let limit = SystemClock.monotonic() + .seconds(30)
        while true {
            try feed()
            if let frame = try decoder.take() { return frame }
            if decoder.isDrained { return nil }
            try #require(SystemClock.monotonic() < limit, "\(decoder.phase) \(decoder.counts)")
            try decoder.advance(atMost: .milliseconds(100))
        }
    }

    /// One that there has to be.
    func picture() throws -> VideoFrame {
        guard let frame = try next() else { throw Lack() }
        return frame
    }

    /// Whether there was none left.
    func isAtEnd() throws -> Bool {
        guard try next() != nil else { return true }
        return false
    }

    struct Lack: Error {}

    /// As much as there is room for.
    func feed() throws {
        while offered < units.count {
            let unit = AccessUnit(
                pts: Int64(offered) * 3_600, dts: 0, isRandomAccess: offered == 0, isDamaged: false)
            guard try units[offered].withUnsafeBytes({ try decoder.offer($0, of: unit) }) else { return }
            offered += 1
        }
        if !isEnding { try decoder.drain() }
        isEnding = true
    }
}
