// SPDX-License-Identifier: Apache-2.0
import Codecs
import Media
import Scene
import System
import TestSupport
import Testing
import Time

@testable import Display

/// From the decoder of `vicodec` to a plane of `vkms`, in one process: the screen reads the very memory that the
/// decoder wrote, under the stage.
@Suite(.serialized, .enabled(if: Guest.isHere && GuestScreen.hasVideoPlanes)) struct GuestDecodedPlaneTests {
    private static let size = PixelSize(width: 640, height: 480)

    struct Clip: CustomTestStringConvertible {
        let name: String
        /// What is shown of each picture, and where.
        let crop: PixelRectangle
        let place: PixelRectangle
        let matrix: VideoFrame.Matrix
        let isFullRange: Bool
        var testDescription: String { name }

        /// - Parameter left, top: of what is shown in the picture.
        init(_ name: String, left: Int, top: Int, _ matrix: VideoFrame.Matrix, isFullRange: Bool) {
            // What changes from picture to picture is in it; all of them would take minutes.
            let part = PixelSize(width: 320, height: 240)
            self.name = name
            (self.matrix, self.isFullRange) = (matrix, isFullRange)
            crop = PixelRectangle(x: left, y: top, size: part)
            place = PixelRectangle(x: 160, y: 120, size: part)
        }
    }

    /// Of 640 x 360, coded as 640 x 368; and of 648 x 362, coded as 656 x 368.
    static let clips = [
        Clip("bars", left: 0, top: 0, .bt709, isFullRange: false),
        Clip("bars-601", left: 6, top: 2, .bt601, isFullRange: true),
    ]

    /// To be told when it has gone back.
    private final class Borrower {
        weak var loan: (any AnyObject & Sendable)?
    }

    /// Every picture is the copied one to the last bit, in order; none is copied; and the decoder, which is as far
    /// ahead as it can be, gets each back after the vblank that replaced it and not before.
    @Test(arguments: clips) func nothingIsCopied(clip: Clip) throws {
        let stream = try FWHTStream(clip.name)
        let stage = GuestScreen.stage(Self.size)
        let before = try GuestScreen.framebuffers()
        do {
            let screen = try GuestScreen(Self.size)
            var wanted: [String] = []
            let copies = try Self.copies(of: stream)
            for copy in copies {
                copy.withFrame { _ = screen.present($0, crop: clip.crop, at: clip.place, under: stage.canvas) }
                wanted.append(try GuestScreen.sum())
            }
            #expect(Set(wanted).count == stream.units.count)
            #expect(screen.driver.status.counters.planeCopies == Int64(stream.units.count))

            screen.present(stage.canvas)
            let own = try GuestScreen.framebuffers()
            var identities: Set<SharedPicture.Identity> = []
            var pictures: GuestPictures? = try GuestPictures(stream)
            let last = Borrower()
            // Between a flip's commit and its vblank.
            var (flips, kept) = (0, 0)
            screen.driver.pacing.meanwhile = {
                flips += 1
                if last.loan != nil { kept += 1 }
            }
            for (number, sum) in wanted.enumerated() {
                let decoded = try #require(pictures)
                let loan = Borrower()
                do {
                    let frame = try decoded.picture()
                    let (time, matrix, isFullRange) = (frame.pts, frame.matrix, frame.isFullRange)
                    #expect(time == Int64(number) * 3_600 && matrix == clip.matrix && isFullRange == clip.isFullRange)
                    loan.loan = frame.loan
                    if let shared = frame.shared { identities.insert(shared.identity) }
                    let area = screen.present(frame, crop: clip.crop, at: clip.place, under: stage.canvas)
                    #expect(area == clip.place)
                }
                #expect(last.loan == nil && loan.loan != nil, "\(number)")
                try decoded.feed()
                #expect(try GuestScreen.sum() == sum, "\(number)")
                last.loan = loan.loan
            }
            #expect(flips == wanted.count && kept == wanted.count - 1)
            #expect(try pictures?.isAtEnd() == true && pictures?.decoder.counts.pictures == wanted.count)

            let counters = screen.driver.status.counters
            #expect(counters.planePictures == 2 * Int64(wanted.count) && counters.planeCopies == Int64(wanted.count))
            #expect(counters.planeRefusals == 0 && counters.commitsRefused == 0 && counters.flipsLost == 0)
            #expect(screen.driver.status.planeRefusal == nil)
            // As many buffers as the decoder has, whatever comes.
            #expect(identities.count < stream.units.count)
            try GuestScreen.expectFramebuffers(own + identities.count)
            print("\(clip.name): \(wanted.count) pictures in \(identities.count) buffers")

            // What is shown stays when the decoder goes, and goes with the next.
            identities = []
            pictures = nil
            #expect(try last.loan != nil && GuestScreen.sum() == wanted.last)
            screen.present(stage.canvas)
            #expect(last.loan == nil)
            try GuestScreen.expectFramebuffers(own)
        }
        try GuestScreen.expectFramebuffers(before)
    }

    /// The stream's matrix and range are the screen's; said to be of any other, the same memory is another picture.
    @Test(arguments: clips) func colours(clip: Clip) throws {
        let screen = try GuestScreen(Self.size)
        let stage = GuestScreen.stage(Self.size)
        let frame = try GuestPictures(FWHTStream(clip.name)).picture()
        screen.present(frame, crop: clip.crop, at: clip.place, under: stage.canvas)
        let shown = try GuestScreen.sum()
        let seen = try screen.capture()

        let right = try #require(
            GuestScreen.colours.firstIndex { $0.matrix == clip.matrix && $0.isFullRange == clip.isFullRange })
        let copy = CopiedPicture(frame)
        let converted = try copy.converted(clip.crop, GuestScreen.colours)
        let differences = try converted.map {
            try GuestScreen.difference(seen, $0, under: stage, in: clip.place)
        }
        print("\(clip.name): off by \(differences)")
        #expect(differences[right] <= GuestScreen.tolerance)
        for index in differences.indices where index != right {
            #expect(differences[index] > 3 * GuestScreen.tolerance, "\(GuestScreen.colours[index])")
        }

        var sums = [shown]
        for (index, colour) in GuestScreen.colours.enumerated() where index != right {
            let memory = UnsafeMutableRawPointer(mutating: frame.planes.0.base)
            let wrong = VideoFrame(
                format: frame.format, width: frame.width, height: frame.height, pixelAspect: (1, 1),
                matrix: colour.matrix, isFullRange: colour.isFullRange, planes: frame.planes, shared: frame.shared,
                loan: frame.loan, pts: 0, isDamaged: false,
                owner: memory, giveBack: { _ in })
            screen.present(wrong, crop: clip.crop, at: clip.place, under: stage.canvas)
            sums.append(try GuestScreen.sum())
        }
        #expect(Set(sums).count == GuestScreen.colours.count)
        #expect(screen.driver.status.counters.planeCopies == 0)
    }

    /// Of a decoder that has no better ones: the same pictures to the last bit, and none is copied.
    @Test(arguments: [FourCC("NV21"), FourCC("YV12"), FourCC("YU12")]) func otherPictures(format: FourCC) throws {
        let (stream, clip) = (try FWHTStream("bars"), Self.clips[0])
        let stage = GuestScreen.stage(Self.size)
        let screen = try GuestScreen(Self.size)
        let (usual, other) = (try GuestPictures(stream), try GuestPictures(stream, format))
        for number in 0..<3 {
            let copy = CopiedPicture(try usual.picture())
            #expect(FWHTStream.sum(copy.samples) == stream.sums[number])
            copy.withFrame { _ = screen.present($0, crop: clip.crop, at: clip.place, under: stage.canvas) }
            let wanted = try GuestScreen.sum()
            let frame = try other.picture()
            let (samples, code) = (frame.format, frame.shared?.fourCC)
            #expect(samples == (format == FourCC("NV21") ? .nv21 : .yuv420p) && code == samples.fourCC)
            let area = screen.present(frame, crop: clip.crop, at: clip.place, under: stage.canvas)
            #expect(try area == clip.place && GuestScreen.sum() == wanted, "\(number)")
        }
        let counters = screen.driver.status.counters
        #expect(counters.planePictures == 6 && counters.planeCopies == 3 && counters.planeRefusals == 0)
    }

    /// The decoder's pictures in memory of the processor; they are those of the reference decoder.
    private static func copies(of stream: FWHTStream) throws -> [CopiedPicture] {
        let pictures = try GuestPictures(stream)
        var copies: [CopiedPicture] = []
        while let frame = try pictures.next() { copies.append(CopiedPicture(frame)) }
        #expect(copies.map { FWHTStream.sum($0.samples) } == stream.sums && !copies.isEmpty)
        return copies
    }
}
