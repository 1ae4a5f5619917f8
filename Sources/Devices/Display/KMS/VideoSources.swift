// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// The memory from which planes read a screen's pictures: decoders' memory that the card has imported, and the card's
/// own.
struct VideoSources {
    private var imports = ImportCache<ImportedFramebuffer>()
    /// Buffers of one format and size. Two suffice, because a flip is done before the next picture is written.
    private var buffers: [VideoFramebuffer] = []

    /// - Parameters:
    ///   - format: one of the request's formats.
    ///   - shown: must not be overwritten.
    mutating func source(
        of frame: borrowing VideoFrame, _ request: PlaneRequest, _ format: UInt32, besides shown: VideoSource?,
        on device: any KMSDevice
    ) throws(DisplayError) -> VideoSource {
        if request.shared != nil, let shared = frame.shared, let loan = frame.loan {
            let image = try imports.image(of: shared) { shared throws(DisplayError) -> ImportedFramebuffer in
                try device.importFramebuffer(shared)
            }
            return .lent(image, loan: loan)
        }
        guard let format = request.source.copies.first(where: { $0.fourCC == format }) else {
            throw .missing("memory for \(request.source)")
        }
        return .copied(try buffer(format, request.size, besides: shown, on: device))
    }

    private mutating func buffer(
        _ format: VideoFrame.PixelFormat, _ size: PixelSize, besides shown: VideoSource?, on device: any KMSDevice
    ) throws(DisplayError) -> VideoFramebuffer {
        if let first = buffers.first, first.format != format || first.size != size { buffers = [] }
        if let free = buffers.first(where: { $0.framebuffer != shown?.framebuffer }) { return free }
        let made = try device.makeVideoFramebuffer(format, size)
        buffers.append(made)
        return made
    }

    /// Removes the framebuffers of decoders' memory that no longer exists.
    mutating func sweep() { imports.sweep() }

    mutating func removeAll() {
        imports.removeAll()
        buffers = []
    }
}
