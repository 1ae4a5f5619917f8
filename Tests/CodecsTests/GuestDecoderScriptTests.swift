// SPDX-License-Identifier: Apache-2.0
import Media
import System
import TestSupport
import Testing
import Time

@testable import Codecs

/// The decoder of `vicodec` asked for one thing after another at random, with readers that keep pictures.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestDecoderScriptTests {
    private static let seeds = 1...UInt64(max(3, 3 * GuestSoak.percent))

    private enum Step: CaseIterable {
        case units, group, pieces, noise, cut, flush, drain, finish, keep, giveBack, wait
    }

    /// Whatever went before, behind a flush everything is as in the beginning; and nothing is left behind.
    @Test(arguments: seeds) func anything(seed: UInt64) throws {
        let clips = [try GuestClip.bars.get(), try GuestClip.bars601.get()]
        let before = try GuestResources()
        var random = SplitMix64(seed: seed)
        do {
            let spare = Int.random(in: 0...3, using: &random)
            let drive = try GuestDrive(coded: .random(in: 1...4, using: &random), spare: spare)
            var kept: [GuestDrive.Kept] = []
            var steps: [Step] = []
            for _ in 0..<Int.random(in: 3...15, using: &random) {
                let step = Step.allCases.randomElement(using: &random) ?? .flush
                steps.append(step)
                let clip = clips[.random(in: 0...1, using: &random)]
                do {
                    try Self.take(step, clip, drive, &kept, spare: spare, &random)
                } catch let fault as DecoderFault {
                    Issue.record("\(steps): \(fault)")
                    return
                }
            }
            kept = []
            for clip in clips {
                try drive.decoder.flush()
                _ = drive.takeSeen()
                let seen = try drive.run(Array(clip.units.prefix(4))).map(\.mark)
                #expect(seen == Array(clip.marks.prefix(4)), "\(steps) \(drive.decoder.counts)")
            }
        }
        #expect(try GuestResources() == before)
    }

    private static func take(
        _ step: Step, _ clip: GuestClip, _ drive: GuestDrive, _ kept: inout [GuestDrive.Kept], spare: Int,
        _ random: inout SplitMix64
    ) throws {
        // Who keeps more is waited for.
        if step != .keep { kept = Array(kept.suffix(spare)) }
        switch step {
        case .units: try drive.feed(Array(clip.units.prefix(.random(in: 1...6, using: &random))))
        case .group: try drive.feed(Array(clip.units.suffix(.random(in: 1...6, using: &random))))
        case .pieces:
            let size = Int.random(in: 1_000...30_000, using: &random)
            try drive.feed(Array(clip.pieces(of: size).prefix(.random(in: 1...6, using: &random))))
        case .noise:
            let count = Int.random(in: 1...3_000, using: &random)
            try drive.feed([(0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }])
        case .cut:
            let unit = clip.units[.random(in: 0..<clip.units.count, using: &random)]
            try drive.feed([Array(unit.prefix(.random(in: 1...unit.count, using: &random)))])
        case .flush: try drive.decoder.flush()
        case .drain: try drive.decoder.drain()
        case .finish: try drive.finish()
        case .keep:
            try drive.decoder.advance(atMost: .milliseconds(50))
            if let picture = try drive.keep() { kept.append(picture) }
        case .giveBack: kept = []
        case .wait: try drive.decoder.advance(atMost: .milliseconds(.random(in: 0...60, using: &random)))
        }
    }

    /// Who keeps all pictures stops the device, which is no fault of its own, however long.
    @Test func waitsForReaders() throws {
        let clip = try GuestClip.bars.get()
        let drive = try GuestDrive(spare: 0)
        var kept: [GuestDrive.Kept] = []
        var next = 0
        let end = SystemClock.monotonic() + HardwareDecoder.patience * 3
        while SystemClock.monotonic() < end {
            if next < 8, try drive.offer(clip.units[next]) { next += 1 }
            try drive.decoder.advance(atMost: .milliseconds(50))
            if let picture = try drive.keep() { kept.append(picture) }
        }
        #expect(!kept.isEmpty && kept.map(\.mark) == Array(clip.marks.prefix(kept.count)))
        let count = kept.count
        kept = []
        #expect(try drive.run(Array(clip.units[next..<10])).map(\.mark) == Array(clip.marks[count..<10]))
    }

    /// Chroma in two planes, in either order, and in pairs with red first: where a device offers nothing else.
    @Test(arguments: [FourCC("YU12"), FourCC("YV12"), FourCC("NV21")]) func otherPicturesAreTheSame(
        format: FourCC
    ) throws {
        let clip = try GuestClip.bars.get()
        let drive = try GuestDrive(pictures: format)
        #expect(try drive.run(Array(clip.units.prefix(3))).map(\.mark) == Array(clip.marks.prefix(3)))
        #expect(drive.decoder.format?.fourCC == format)
        #expect(drive.decoder.format?.layout.samples == (format == .nv21 ? .nv21 : .yuv420p))
    }
}
