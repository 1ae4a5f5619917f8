// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import TestSupport
import Testing
import Time

@testable import Presentation

/// Issue 4, "Shows 3": a minute of a ticker, read off what is shown.
@Suite struct TickerDisplacementTests {
    private static let size = PixelSize(width: 96, height: 24)
    private static let area = PixelRectangle(x: 8, y: 14, size: PixelSize(width: 80, height: 4))
    private static let step = 3

    /// Columns that are each white or black by chance: no two places of it look the same.
    private func strip(_ direction: TickerStrip.Direction, rate: Int) -> TickerStrip {
        let canvas = CanvasBuffer(width: 301, height: Self.area.size.height)
        var random = SplitMix64(seed: 12)
        for x in 0..<canvas.width {
            let white = UInt8.random(in: 0...1, using: &random) * 255
            for y in 0..<canvas.height {
                let pixel = y * canvas.stride + x * 4
                for octet in pixel..<pixel + 4 { canvas.bytes[octet] = white }
            }
        }
        return TickerStrip(
            canvas, area: Self.area, pixelsPerSecond: rate * Self.step, direction: direction, band: 0xff00_0000)
    }

    /// The ticker's white columns, as it reads: the way is always towards the first.
    private func columns(_ picture: Picture, _ direction: TickerStrip.Direction) -> [Bool] {
        let row = (Self.area.x..<Self.area.right).map { picture[$0, Self.area.y + 1] == 0xff_ffff }
        return direction == .leftwards ? row : row.reversed()
    }

    /// Every way that takes the columns from one picture to the next.
    private func ways(_ before: [Bool], _ after: [Bool]) -> [Int] {
        (0...2 * Self.step + 1).filter { before.dropFirst($0).elementsEqual(after.dropLast($0)) }
    }

    /// Each of 60 s of pictures is as far from the one before as any other, whatever the video below does, and on a
    /// display of 60000/1001 Hz too.
    @Test(arguments: [(50, 50, 1), (60, 60, 1), (60, 60_000, 1_001)] as [(Int, Int64, Int64)])
    func isConstantForAMinute(rate: Int, frames: Int64, seconds: Int64) {
        let count = 60 * frames / seconds
        for direction in [TickerStrip.Direction.leftwards, .rightwards] {
            let bench = SceneBench(Self.size, rate: rate)
            let queue = bench.play(1, in: "main", seed: 1, Self.size)
            bench.post(.setTicker(strip(direction, rate: rate)))
            var before: [Bool]?
            var (measured, others) = (0, [Int64: [Int]]())
            var index: Int64 = 0
            bench.recorder.onPresent = { picture in
                let after = columns(picture, direction)
                if let before {
                    let ways = ways(before, after)
                    // Where the end has hardly left and the beginning hardly come, more than one way may fit.
                    let isPlain = before.count(where: \.self) > 8 && after.count(where: \.self) > 8
                    if isPlain ? ways == [Self.step] : ways.contains(Self.step) {
                        measured += isPlain ? 1 : 0
                    } else {
                        others[index] = ways
                    }
                }
                before = after
            }
            let start = bench.now
            for frame in 0...count {
                index = frame
                let instant = start + Nanoseconds(1_000_000_000 * frame * seconds / frames + 50_000)
                queue.put(TimedFrame(frame: TestFrame.grey(UInt8(frame % 100) + 60, Self.size), time: instant))
                bench.step(after: instant - bench.now)
            }
            #expect(others.isEmpty, "\(direction)")
            #expect(bench.recorder.count == Int(count) + 1)
            #expect(measured > Int(count) * 8 / 10)
            // Frames that this display does not have; text and its speed are not to make up for them.
            #expect(bench.counters.value.framesMissed == (seconds == 1 ? 0 : 3))
        }
    }
}
