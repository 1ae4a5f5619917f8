// SPDX-License-Identifier: Apache-2.0
import Media
import System
import TestSupport
import Testing
import Time

@testable import Codecs

/// The decoder of `vicodec`, a kernel driver that works by the processor: pictures equal to the octet to those of a
/// reference decoder, however the stream is cut and whatever comes between.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestDecoderTests {
    private static func marks(_ seen: [GuestDrive.Seen]) -> [Int] { seen.map(\.mark) }

    @Test func isFoundByItsFormat() throws {
        let found = DecoderInventory.read().devices
        #expect(found.contains { $0.path == (try? GuestDrive.node()) && $0.streams.map(\.format) == [.fwht] })
        let isMulti = try VideoNode(opening: GuestDrive.node()).isMulti
        print("FWHT decoder: \(isMulti ? "several planes" : "one plane") a buffer")
    }

    @Test func picturesAreTheReferences() throws {
        let clip = try GuestClip.bars.get()
        let drive = try GuestDrive()
        let seen = try drive.run(clip.units)
        #expect(Self.marks(seen) == clip.marks && Set(clip.marks).count == 16)
        #expect(seen.allSatisfy { $0.width == clip.width && $0.height == clip.height && !$0.isDamaged })
        #expect(seen.map(\.pts) == (0..<16).map { $0 * 3_600 })
        let format = try #require(drive.decoder.format)
        #expect(format.fourCC == .nv12 && format.matrix == .bt709 && !format.isFullRange)
        #expect((format.coded.width, format.coded.height) == (640, 368))
        var counts = DecoderCounts()
        (counts.pictures, counts.setUps) = (16, 1)
        #expect(drive.decoder.counts == counts)
    }

    @Test func theStreamSaysMatrixAndRange() throws {
        let clip = try GuestClip.bars601.get()
        let drive = try GuestDrive()
        #expect(Self.marks(try drive.run(clip.units)) == clip.marks)
        let format = try #require(drive.decoder.format)
        #expect((format.coded.width, format.coded.height) == (656, 368))
        #expect((format.visible.width, format.visible.height) == (648, 362))
        #expect(format.matrix == .bt601 && format.isFullRange)
    }

    /// A picture has the time of the piece in which it ends.
    @Test(arguments: [700, 4_096, 100_000, 1_000_000]) func pieces(size: Int) throws {
        let clip = try GuestClip.bars.get()
        let seen = try GuestDrive(mostInVain: nil).run(clip.pieces(of: size))
        #expect(Self.marks(seen) == clip.marks)
        var end = 0
        let times = clip.units.map { unit -> Int64 in
            end += unit.count
            return Int64((end - 1) / size) * 3_600
        }
        #expect(seen.map(\.pts) == times)
    }

    @Test(arguments: [1, 2, 4], [0, 1, 4]) func buffers(coded: Int, spare: Int) throws {
        let clip = try GuestClip.bars.get()
        let seen = try GuestDrive(coded: coded, spare: spare).run(Array(clip.units.prefix(5)))
        #expect(Self.marks(seen) == Array(clip.marks.prefix(5)))
    }

    /// A stream that says how large it is gets buffers for its units that are as large; one that grows goes on.
    @Test func buffersAreOfTheStreamsSize() throws {
        let (one, other) = (try GuestClip.bars.get(), try GuestClip.bars601.get())
        let drive = try GuestDrive(size: DecoderNeed.Size(width: one.width, height: one.height))
        let octets = drive.decoder.codedOctets
        let usual = try GuestDrive().decoder.codedOctets
        #expect((1...1 << 20).contains(octets) && octets < usual, "\(octets), else \(usual)")
        #expect(Self.marks(try drive.run(one.units + other.units)) == one.marks + other.marks)
    }

    /// Nothing comes of noise, as of a device that eats and is broken: the stream goes on elsewhere.
    @Test func noiseAloneIsGivenUp() throws {
        let clip = try GuestClip.bars.get()
        let drive = try GuestDrive()
        try drive.feed(clip.units)
        let noise = (0..<40).map { seed in (0..<900).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ seed) } }
        let fault = thrown(DecoderFault.self) {
            for _ in 0..<40 {
                try drive.feed(noise)
                try drive.decoder.advance(atMost: .milliseconds(50))
            }
        }
        #expect(fault?.reason == "wedged")
        #expect(Self.marks(drive.seen) == clip.marks)
    }

    @Test(arguments: [nil, 4_096, 100_000]) func followsChangesOfSize(pieces: Int?) throws {
        let (one, other) = (try GuestClip.bars.get(), try GuestClip.bars601.get())
        let drive = try GuestDrive(mostInVain: pieces == nil ? 16 : nil)
        for clip in [one, other, one] { try drive.feed(pieces.map { clip.pieces(of: $0) } ?? clip.units) }
        try drive.finish()
        #expect(Self.marks(drive.seen) == one.marks + other.marks + one.marks)
        #expect(drive.seen.map(\.width) == (0..<38).map { (16..<22).contains($0) ? 648 : 640 })
        #expect(drive.decoder.counts.setUps == 3)
    }

    // MARK: Ends and seeks

    enum Restart: CaseIterable { case atOnce, behindSilence, behindAFlush, withAnotherSize }

    @Test(arguments: Restart.allCases) func goesOnBehindAnEnd(how: Restart) throws {
        let (one, other) = (try GuestClip.bars.get(), try GuestClip.bars601.get())
        let drive = try GuestDrive()
        var wanted: [Int] = []
        for round in 0..<3 {
            let clip = how == .withAnotherSize && round % 2 == 1 ? other : one
            wanted += clip.marks.prefix(4)
            #expect(Self.marks(try drive.run(Array(clip.units.prefix(4)))) == wanted, "round \(round)")
            switch how {
            case .behindSilence:
                for _ in 0..<4 { try drive.decoder.advance(atMost: .milliseconds(10)) }
                try drive.finish()
            case .behindAFlush: try drive.decoder.flush()
            case .atOnce, .withAnotherSize: break
            }
        }
    }

    /// Nothing of before a flush comes behind it, wherever it finds the device; nor does it forget how to end.
    @Test(arguments: [0, 1, 5, 17]) func seeks(fed: Int) throws {
        let (one, other) = (try GuestClip.bars.get(), try GuestClip.bars601.get())
        let drive = try GuestDrive()
        try drive.feed(Array((one.units + other.units).prefix(fed)))
        for clip in [one, other] {
            try drive.decoder.flush()
            let before = drive.seen.count
            try drive.feed(Array(clip.units.prefix(6)))
            #expect(!drive.seen.dropFirst(before).contains { !clip.marks.contains($0.mark) })
            try drive.finish()
            #expect(Self.marks(Array(drive.seen.dropFirst(before))) == Array(clip.marks.prefix(6)))
        }
    }

    /// Into the middle of units, and before a drain has come to its end.
    @Test func seeksFromAnywhere() throws {
        let clip = try GuestClip.bars.get()
        let drive = try GuestDrive()
        try drive.feed(Array(clip.pieces(of: 5_000).prefix(3)))
        try drive.decoder.flush()
        try drive.feed(Array(clip.units.prefix(4)))
        try drive.decoder.drain()
        try drive.decoder.flush()
        try drive.decoder.flush()
        let before = drive.seen.count
        #expect(Self.marks(Array(try drive.run(clip.units).dropFirst(before))) == clip.marks)
    }

    // MARK: Damage

    enum Damage: CaseIterable { case noiseFirst, badHeader, badBody, unitMissing, unitCutOff }

    /// Costs pictures, not the decoder: what follows the next picture that stands for itself is right again.
    @Test(arguments: Damage.allCases, [nil, 4_096]) func damage(kind: Damage, pieces: Int?) throws {
        let clip = try GuestClip.bars.get()
        var units = clip.units
        switch kind {
        case .noiseFirst: units.insert((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }, at: 0)
        case .badHeader: for place in 8..<40 { units[3][place] = 0xff }
        case .badBody: for place in 200..<2_200 { units[3][place] = 0 }
        case .unitMissing: units.remove(at: 3)
        case .unitCutOff: units[3].removeLast(units[3].count / 2)
        }
        if let pieces {
            let all = units.flatMap { $0 }
            units = stride(from: 0, to: all.count, by: pieces).map { Array(all[$0..<min(all.count, $0 + pieces)]) }
        }
        let drive = try GuestDrive(mostInVain: pieces == nil ? 16 : nil)
        let seen = Self.marks(try drive.run(units))
        let good = clip.marks.count - 2 * GuestClip.group
        #expect(Array(seen.suffix(good)) == Array(clip.marks.suffix(good)), "\(drive.decoder.counts)")
        #expect(kind == .noiseFirst || Array(seen.prefix(3)) == Array(clip.marks.prefix(3)))
    }

    /// What the driver makes of the rest of such a unit is its affair; the end comes all the same, and what follows is
    /// not taken for that rest.
    @Test(arguments: [1, 2]) func endsWithinAUnit(coded: Int) throws {
        let clip = try GuestClip.bars.get()
        var units = Array(clip.units.prefix(6))
        units[5].removeLast(5_000)
        let drive = try GuestDrive(coded: coded)
        for round in 1...2 {
            let before = drive.seen.count
            let seen = Self.marks(try drive.run(units))
            let new = seen.dropFirst(before)
            #expect(new.count <= 6 && Array(new.prefix(5)) == Array(clip.marks.prefix(5)), "round \(round)")
        }
        let before = drive.seen.count
        #expect(Self.marks(Array(try drive.run(clip.units).dropFirst(before))) == clip.marks)
    }

    @Test func endsBeforeAHeader() throws {
        let clip = try GuestClip.bars.get()
        let drive = try GuestDrive()
        let began = SystemClock.monotonic()
        #expect(try drive.run([Array(clip.units[0].prefix(20))]).isEmpty)
        #expect(drive.decoder.counts.headerless == 1)
        #expect(SystemClock.monotonic() - began < .seconds(5))
        #expect(Self.marks(try drive.run(clip.units)) == clip.marks)
    }

    // MARK: Pictures that are kept

    /// Buffers outlive the format, and the decoder, as long as somebody looks at them.
    @Test func keptPicturesStayAsTheyAre() throws {
        let (one, other) = (try GuestClip.bars.get(), try GuestClip.bars601.get())
        var drive: GuestDrive? = try GuestDrive(spare: 1)
        var kept: GuestDrive.Kept?
        let limit = SystemClock.monotonic() + .seconds(20)
        for unit in one.units.prefix(3) { #expect(try drive?.offer(unit) == true) }
        while kept == nil {
            try #require(SystemClock.monotonic() < limit)
            try drive?.decoder.advance(atMost: .milliseconds(100))
            kept = try drive?.keep()
        }
        try drive?.run(Array(one.units.suffix(1)) + other.units)
        #expect(Self.marks(drive?.seen ?? []).suffix(6) == other.marks[...])
        #expect(kept?.mark == one.marks[0])
        drive = nil
        #expect(kept?.mark == one.marks[0])
    }
}
