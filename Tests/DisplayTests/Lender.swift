// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

@testable import Display

/// A decoder whose buffers a fake card can import, and which writes each anew as soon as it has it back.
final class Lender: @unchecked Sendable {
    // Sendable: the test's thread alone uses it.
    private struct Buffer {
        let shared: SharedPicture
        let memory: UnsafeMutableRawBufferPointer
        var isOut = false
    }

    private final class Loan: Sendable {
        let giveBack: @Sendable () -> Void

        init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

        deinit { giveBack() }
    }

    /// Times that it had none left.
    private(set) var shortages = 0
    /// Given back while people saw them.
    private(set) var losses = 0
    private let card: FakeCard
    private let samples: VideoFrame.PixelFormat
    private var buffers: [Buffer] = []
    var isOut: Int { buffers.count { $0.isOut } }

    /// - Parameters:
    ///   - size: coded.
    ///   - samples: of one plane of chroma.
    ///   - format: a code of `drm_fourcc.h`.
    init(
        _ card: FakeCard, count: Int = 3, _ size: PixelSize, _ samples: VideoFrame.PixelFormat = .nv12,
        format: UInt32 = DRMFormat.nv12
    ) {
        self.samples = samples
        self.card = card
        for _ in 0..<count {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size.width * size.height * 2, alignment: 8)
            let file = Int32(card.memories.count)
            card.memories[file] = memory
            let pitch = UInt32(size.width)
            buffers.append(
                Buffer(
                    shared: SharedPicture(
                        width: size.width, height: size.height, fourCC: format, modifier: nil,
                        planes: [
                            .init(descriptor: file, offset: 0, pitch: pitch),
                            .init(descriptor: file, offset: pitch * UInt32(size.height), pitch: pitch),
                        ]), memory: memory))
        }
    }

    deinit { for buffer in buffers { buffer.memory.deallocate() } }

    /// As `TestPicture.numbered`.
    func picture(_ number: Int, _ size: PixelSize, _ matrix: VideoFrame.Matrix) -> VideoFrame? {
        guard let index = buffers.firstIndex(where: { !$0.isOut }) else {
            shortages += 1
            return nil
        }
        buffers[index].isOut = true
        nonisolated(unsafe) let memory = buffers[index].memory
        let shared = buffers[index].shared
        if card.shows(memory) { losses += 1 }
        for octet in 0..<3 { memory[octet] = UInt8(truncatingIfNeeded: number >> (8 * octet)) }
        guard let base = memory.baseAddress else { return nil }
        let loan = Loan { [self] in
            buffers[index].isOut = false
            if card.shows(memory) { losses += 1 }
        }
        let plane = VideoFrame.Plane(base: base, stride: shared.width)
        return VideoFrame(
            format: samples, width: size.width, height: size.height, pixelAspect: (1, 1), matrix: matrix,
            isFullRange: false, planes: (plane, plane, plane), shared: shared, loan: loan, pts: 0, isDamaged: false,
            owner: base, giveBack: { _ in })
    }
}
