// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import TestSupport
import Testing
import Time

@testable import Display

/// Pictures in memory that devices share, drawn by Mesa's llvmpipe without a copy.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestImportTests {
    private static let size = PixelSize(width: 160, height: 120)

    /// As the processor's copy of the same samples is drawn, from the first buffer to one that comes round again.
    @Test(arguments: [VideoFrame.PixelFormat.nv12, .nv21, .yuv420p])
    func samplesAreThoseThatAreUploaded(format: VideoFrame.PixelFormat) throws {
        try Self.withCompositor { compositor in
            let buffers = try (0..<3).map { _ in
                try SharedMemoryFile(PixelSize(width: 256, height: 160), format, left: 16, top: 8)
            }
            for round in 0..<5 {
                let noise = Noise(PixelSize(width: 200, height: 120), seed: UInt64(round))
                let buffer = buffers[round % 3]
                buffer.write(noise)
                for (matrix, isFullRange) in [(VideoFrame.Matrix.bt601, false), (.bt709, true)] {
                    let version = round * 2 + (isFullRange ? 1 : 0)
                    let shared = try Self.drawn(by: compositor) {
                        try compositor.draw(
                            buffer.frame(noise.size, matrix, isFullRange: isFullRange), at: Self.place(noise.size),
                            slot: 0,
                            version: version)
                    }
                    let uploaded = try Self.drawn(by: compositor) {
                        noise.withFrame(format, matrix, isFullRange: isFullRange) {
                            compositor.draw($0, at: Self.place(noise.size), slot: 1, version: version)
                        }
                    }
                    // Another program, which may round otherwise.
                    #expect(shared.canvas.difference(from: uploaded.canvas).largest <= 1, "\(round)")
                }
            }
            #expect(compositor.imports.count == 10 && compositor.imports.refusal == nil)
        }
    }

    /// What has one field is drawn from the memory too, what cannot be imported from a copy.
    @Test func whatIsRefusedIsUploaded() throws {
        try Self.withCompositor { compositor in
            let noise = Noise(PixelSize(width: 200, height: 120), seed: 7)
            let buffer = try SharedMemoryFile(PixelSize(width: 256, height: 160), .nv12)
            buffer.write(noise)
            var drawn: [Surface] = []
            // The second lies as if the card had laid it out in tiles, the third's descriptor is none.
            for fault in 0..<3 {
                var told = buffer.picture
                if fault == 1 { told.modifier = 1 << 56 | 1 }
                if fault == 2 { told = SharedPicture(told, descriptor: -1) }
                let frame = try buffer.frame(noise.size, told: told)
                drawn.append(
                    try Self.drawn(by: compositor) {
                        compositor.draw(frame, field: .top, at: Self.place(noise.size), slot: fault, version: 0)
                    })
            }
            #expect(compositor.imports.count == 1 && compositor.imports.refusal != nil)
            for other in drawn.dropFirst() { #expect(drawn[0].canvas.difference(from: other.canvas).largest <= 1) }
        }
    }

    /// Of buffers that no longer come round nothing is kept.
    @Test func buffersAreLetGo() throws {
        try Self.withCompositor { compositor in
            var files = 0
            let noise = Noise(PixelSize(width: 64, height: 64), seed: 1)
            for round in 0..<50 {
                let buffer = try SharedMemoryFile(noise.size, .nv12)
                buffer.write(noise)
                try compositor.begin()
                try compositor.draw(buffer.frame(noise.size), at: Self.place(noise.size), slot: 0, version: round)
                try compositor.readBack(into: Surface(Self.size.width, Self.size.height).canvas)
                if round == 9 { files = try descriptors() }
            }
            #expect(try descriptors() <= files)
            compositor.forget(slot: 0)
        }
    }

    private static func place(_ size: PixelSize) -> Placement {
        Placement(
            crop: PixelRectangle(x: 0, y: 0, size: size), destination: PixelRectangle(5, 10, 145, 100),
            rotation: .upright,
            opacity: 255)
    }

    private static func drawn(by compositor: GLESCompositor, _ body: () throws -> Void) throws -> Surface {
        let surface = Surface(size.width, size.height)
        try compositor.begin()
        try body()
        try compositor.readBack(into: surface.canvas)
        return surface
    }

    private static func withCompositor(_ body: (GLESCompositor) throws -> Void) throws {
        let compositor = try GLESCompositor(size: size)
        #expect(compositor.context.isSoftware)
        compositor.importer = PictureImporter(isForced: true, in: compositor.context)
        try body(compositor)
    }
}

extension SharedPicture {
    /// Another buffer, of that descriptor.
    fileprivate init(_ other: SharedPicture, descriptor: Int32) {
        self.init(
            width: other.width, height: other.height, fourCC: other.fourCC, modifier: other.modifier,
            planes: other.planes.map { Plane(descriptor: descriptor, offset: $0.offset, pitch: $0.pitch) })
    }
}
