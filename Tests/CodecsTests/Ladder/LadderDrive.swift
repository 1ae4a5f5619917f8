// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time

@testable import Codecs

/// Feeds a ladder and takes what it gives, as a decode thread would.
final class LadderDrive {
    let bench: FakeBench
    private(set) var openings: [LadderDecoder.Opening] = []
    /// Times of what came out, and what had decoded it: the device's pictures are small.
    private(set) var pictures: [Int64] = []
    private(set) var ofDevices = 0
    /// From a picture to the next, of the devices' time.
    private(set) var longestPause = Nanoseconds.zero
    private(set) var errors = 0
    /// From a unit to the next; zero: as fast as they are taken.
    var pace = Nanoseconds.zero
    private var lastAt: Monotonic
    private var decoder: LadderDecoder?

    init(_ bench: FakeBench, _ choice: DecodingLadder.Choice = .auto, of codec: Codec = .h264) {
        self.bench = bench
        lastAt = bench.clock.now
        let decoder = LadderDecoder(bench.pool, choice) { [unowned self] in openings.append($0) }
        decoder.begin(codec)
        self.decoder = decoder
    }

    var ladder: LadderDecoder {
        guard let decoder else { preconditionFailure("it has ended") }
        return decoder
    }

    func end() { decoder = nil }

    func attempt(_ body: () throws(CodecError) -> Void) {
        do throws(CodecError) { try body() } catch { errors += 1 }
    }

    func take() {
        attempt { () throws(CodecError) in
            while let frame = try ladder.receive() {
                pictures.append(frame.pts)
                if frame.width <= 78 { ofDevices += 1 }
                longestPause = max(longestPause, bench.clock.now - lastAt)
                lastAt = bench.clock.now
            }
        }
    }

    func wait() {
        attempt { () throws(CodecError) in try ladder.wait(atMost: .milliseconds(10)) }
        take()
    }

    func feed(_ units: some Sequence<(unit: AccessUnit, bytes: [UInt8])>) throws {
        for (unit, bytes) in units {
            let began = bench.clock.now
            let limit = began + .seconds(5)
            while !ladder.hasRoom {
                try #require(bench.clock.now < limit, "no room")
                wait()
            }
            bytes.withUnsafeBytes { bytes in attempt { () throws(CodecError) in try ladder.send(unit, bytes) } }
            take()
            if ladder.isBusy { wait() }
            let next = began + pace
            while ladder.isBusy, bench.clock.now < next { wait() }
            bench.clock.now = max(bench.clock.now, next)
        }
    }

    func finish() throws {
        attempt { () throws(CodecError) in try ladder.drain() }
        take()
        let limit = bench.clock.now + .seconds(5)
        while !ladder.isDrained {
            try #require(bench.clock.now < limit, "no end")
            wait()
        }
        take()
    }
}
