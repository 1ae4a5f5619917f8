// SPDX-License-Identifier: Apache-2.0
import Codecs
import Conversion
import Display
import Foundation
import Media
import Scene
import System
import TestSupport
import Time

/// A decoder and a screen, and pictures on their way from one to the other, one at each vblank at most.
final class Show {
    /// That are measured in a row.
    static let pictures = 20
    /// Before them: the planes' way has been found, and libswscale's tables are there.
    private static let warmUp = 4

    private let units: [[UInt8]]
    private let size: PixelSize
    private let place: PixelRectangle
    private let source: HardwareDecoder
    private let output: KMSOutput
    private let copy: LibraryCopy
    private var converter = VideoConverter(quality: .fast)
    private var offered = 0

    /// Microseconds of all threads of this process, of one picture.
    struct Cost {
        /// A unit given to the decoder, and it taken; without the driver's codec.
        let decoding: Double
        let showing: Double
    }

    enum Failure: Error {
        case noDecoder, noScreen(PixelSize), noPicture(String)
        case refused(String?)
        /// Pictures took another way.
        case counted(PicturePath, ScreenCounters)
    }

    init(_ units: [[UInt8]], of size: PixelSize, on mode: PixelSize) throws {
        (self.units, self.size) = (units, size)
        place = PixelRectangle(
            x: (mode.width - size.width) / 2 & ~1, y: (mode.height - size.height) / 2 & ~1, size: size)
        guard let node = Guest.videoNode(named: "stateful-decoder") else { throw Failure.noDecoder }
        source = try HardwareDecoder(opening: node, decoding: .fwht, patience: .seconds(10))
        copy = try LibraryCopy(width: size.width, height: size.height)
        output = try KMSOutput(size: mode, mode: .size(mode, nil), wake: {})
        let limit = SystemClock.monotonic() + .seconds(30)
        while output.screen?.connector == nil {
            guard SystemClock.monotonic() < limit else { throw Failure.noScreen(mode) }
            _ = output.attend(now: SystemClock.monotonic())
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
        }
    }

    func costs(of path: PicturePath) throws -> [Cost] {
        for number in 0..<Self.warmUp { _ = try cost(of: path, isFirst: number < 2) }
        let counters = try self.counters()
        let costs = try (0..<Self.pictures).map { _ in try cost(of: path, isFirst: false) }
        let after = try self.counters()
        let (shown, copied) = (
            after.planePictures - counters.planePictures, after.planeCopies - counters.planeCopies
        )
        let wanted = path.hasPlane ? Int64(Self.pictures) : 0
        guard shown == wanted, copied == (path == .plane ? 0 : wanted), after.flipsLost == counters.flipsLost,
            after.flips - counters.flips == Int64(Self.pictures)
        else { throw Failure.counted(path, after) }
        return costs
    }

    private func cost(of path: PicturePath, isFirst: Bool) throws -> Cost {
        // Its buffer goes back to the driver, which decodes the next picture in this very call.
        try source.advance(atMost: .zero)
        let start = Self.processTime()
        let picture = try picture()
        let middle = Self.processTime()
        if path.isCopiedByLibrary {
            try copy.withCopy(of: picture) { try show($0, on: path, isFirst: isFirst) }
        } else if path == .planeCopy {
            try show(picture.elsewhere(picture.planes), on: path, isFirst: isFirst)
        } else {
            try show(picture, on: path, isFirst: isFirst)
        }
        return Cost(
            decoding: Self.microseconds(middle - start), showing: Self.microseconds(Self.processTime() - middle))
    }

    /// - Parameter isFirst: what is on the canvas is of another path.
    private func show(_ picture: borrowing VideoFrame, on path: PicturePath, isFirst: Bool) throws {
        if path.hasPlane {
            let whole = PixelRectangle(x: 0, y: 0, size: size)
            guard output.show(picture, isNew: true, crop: whole, at: place) == place else {
                throw Failure.refused(output.screen?.planeRefusal)
            }
            if isFirst { output.compose { $0.bytes.initializeMemory(as: UInt8.self, repeating: 0) } }
        } else {
            output.hideVideo()
            var failure: ConversionError?
            output.compose { canvas in
                do throws(ConversionError) {
                    try converter.draw(picture, in: place, of: canvas)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
        _ = output.present(now: SystemClock.monotonic())
        if let fault = output.fault { throw fault }
    }

    private func picture() throws -> VideoFrame {
        let limit = SystemClock.monotonic() + .seconds(30)
        while SystemClock.monotonic() < limit {
            while try offer(units[offered % units.count]) { offered += 1 }
            if let picture = try source.take() { return picture }
            try source.advance(atMost: .milliseconds(100))
        }
        throw Failure.noPicture("\(source.phase) \(source.counts)")
    }

    private func offer(_ unit: [UInt8]) throws -> Bool {
        let described = AccessUnit(
            pts: Int64(offered) * 3_600, dts: 0, isRandomAccess: offered == 0, isDamaged: false)
        return try unit.withUnsafeBytes { try source.offer($0, of: described) }
    }

    private func counters() throws -> ScreenCounters {
        guard let screen = output.screen else { throw Failure.noScreen(output.size) }
        return screen.counters
    }

    private static func processTime() -> Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private static func microseconds(_ span: Nanoseconds) -> Double { Double(span.count) / 1_000 }
}
