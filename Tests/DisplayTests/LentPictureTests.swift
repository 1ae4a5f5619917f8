// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing
import Time

@testable import Display

/// A decoder's buffers on a plane, as they are: none is copied, and none written while people see it.
struct LentPictureTests {
    private static let stage = PixelSize(width: 192, height: 108)
    private static let coded = PixelSize(width: 192, height: 112)

    private static func bench(
        buffers: Int = 3, _ samples: VideoFrame.PixelFormat = .nv12, format: UInt32 = DRMFormat.nv12,
        prepare: (FakeCard) -> Void = { _ in }
    ) -> ScreenBench {
        let bench = ScreenBench {
            $0.planes = FakeCard.videoPlanes
            prepare($0)
        }
        bench.video = (stage, .bt709)
        bench.lender = Lender(bench.card, count: buffers, coded, samples, format: format)
        return bench
    }

    private static func isWell(_ bench: ScreenBench) -> Bool {
        bench.blacks == 0 && bench.seen == bench.serial && bench.card.brokenRules == []
            && (bench.lender?.losses ?? 0) == 0
    }

    @Test func nothingIsCopied() {
        let bench = Self.bench()
        bench.run(for: .seconds(2))
        #expect(Self.isWell(bench) && bench.card.isVideoShown() && bench.lender?.shortages == 0)
        #expect(bench.counters.planePictures >= 98 && bench.counters.planeCopies == 0)
        // Each once; two canvases in two formats each.
        #expect(bench.card.imports == 2 || bench.card.imports == 3)
        #expect(bench.card.livingFramebuffers == 4 + bench.card.imports)
        #expect(bench.lender?.isOut == 1 && bench.card.values[32]?[.sourceHeight] == 108 << 16)
    }

    @Test func theirEnd() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        // The next decoder's, as after a change of size.
        bench.lender = Lender(bench.card, Self.coded)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.livingFramebuffers <= 4 + 3 && bench.counters.planeCopies == 0)
        bench.lender = nil
        bench.video = nil
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.livingFramebuffers == 4)
    }

    @Test(arguments: [1, 3]) func lostFlips(count: Int) {
        let bench = Self.bench(buffers: 5)
        bench.run(for: .seconds(1))
        bench.card.losesFlips = count
        bench.run(for: .seconds(2))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
        #expect(bench.lender?.isOut == 1 && bench.lender?.shortages == 0 && bench.counters.planeCopies == 0)
    }

    /// It is copied, and so it is on a plane all the same.
    @Test func anImportThatIsRefused() {
        let bench = Self.bench { $0.accidents.refusesImports = true }
        bench.run(for: .seconds(2))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
        #expect(bench.card.imports == 1 && bench.counters.planeRefusals == 1)
        #expect(bench.counters.planeCopies == bench.counters.planePictures && bench.counters.planePictures >= 98)
        #expect(bench.driver?.status.planeRefusal == "import NV12 192x112 failed: Invalid argument")
        bench.card.accidents.refusesImports = false
        bench.run(for: .seconds(61))
        let copies = bench.counters.planeCopies
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.counters.planeCopies == copies)
    }

    /// A format that no plane has: the same picture is copied in one that it has.
    @Test func aFormatThatNoPlaneTakes() {
        let bench = Self.bench(format: 0x3231_564d)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.isVideoShown() && bench.card.imports == 0)
        #expect(bench.counters.planeCopies == bench.counters.planePictures)
    }

    private static let others: [(samples: VideoFrame.PixelFormat, format: UInt32)] = [
        (.nv21, DRMFormat.nv21), (.p010, DRMFormat.p010),
    ]

    @Test(arguments: others) func anotherFormatThatAPlaneTakes(samples: VideoFrame.PixelFormat, format: UInt32) {
        let bench = Self.bench(samples, format: format) { $0.planes = FakeCard.videoPlanes(of: [format]) }
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.isVideoShown() && bench.counters.planeRefusals == 0)
        #expect(bench.counters.planePictures >= 48 && bench.counters.planeCopies == 0)
    }

    /// Eight bits are copied as the plane has them; of ten there is no copy: they are composed, and the status says
    /// why.
    @Test(arguments: others) func anotherFormatThatNoneTakes(samples: VideoFrame.PixelFormat, format: UInt32) {
        let bench = Self.bench(samples, format: format)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.imports == 0 && bench.counters.planeRefusals == 1)
        #expect(bench.driver?.status.planeRefusal == "a plane for \(samples) under another one is missing")
        #expect(bench.card.isVideoShown() == (samples == .nv21))
        #expect(bench.counters.planeCopies == bench.counters.planePictures)
    }

    @Test func aRefusedCommit() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.card.accidents.refusedCommits = 1
        bench.run(for: .seconds(1))
        // It is composed, then copied: the kind that was refused is not asked about for a while.
        #expect(Self.isWell(bench) && bench.card.isVideoShown() && bench.counters.planeRefusals == 1)
        #expect(bench.lender?.isOut == 0)
    }

    @Test func aDisplayThatIsAwayForAWhile() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.card[50] = nil
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.seen == nil && bench.lender?.isOut == 0 && bench.card.livingFramebuffers == 0)
        bench.card[50] = .television
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
        bench.end()
        #expect(bench.lender?.isOut == 0 && bench.card.livingFramebuffers == 0)
    }

    /// More than 64 are a decoder's fault, and not the card's.
    @Test func abundance() throws {
        let card = FakeCard()
        var cache = ImportCache<ImportedFramebuffer>()
        let buffers = (0..<100).map { index in
            SharedPicture(
                width: 64, height: 64, fourCC: DRMFormat.nv12, modifier: nil,
                planes: [.init(descriptor: Int32(index % 2), offset: 0, pitch: 64)])
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 96, alignment: 8)
        defer { memory.deallocate() }
        card.memories = [0: memory, 1: memory]
        for _ in 0..<2 {
            for buffer in buffers.prefix(50) { _ = try cache.image(of: buffer, make: card.importFramebuffer) }
        }
        #expect(cache.count == 50 && card.imports == 50)
        for buffer in buffers { _ = try cache.image(of: buffer, make: card.importFramebuffer) }
        #expect(
            cache.count == ImportCache<ImportedFramebuffer>.most
                && card.livingFramebuffers == ImportCache<ImportedFramebuffer>.most)
        cache.removeAll()
        #expect(card.livingFramebuffers == 0)
    }
}
