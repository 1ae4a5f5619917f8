// SPDX-License-Identifier: Apache-2.0

/// A modeset that was begun and is not known to be done.
final class PendingModeset {
    let pipeline: DisplayPipeline
    let token: UInt64
    let buffers: SwapChain.Pair
    /// Whether something newer has been presented since it was begun.
    var isOutdated = false
    /// The mode's blob, kept until the modeset is done for a card that reads it late.
    private let blob: PropertyBlob

    init(_ pipeline: DisplayPipeline, token: UInt64, blob: consuming PropertyBlob, buffers: SwapChain.Pair) {
        self.pipeline = pipeline
        self.token = token
        self.buffers = buffers
        self.blob = blob
    }

    /// Whether the event completes this modeset. A CRTC that the commit switches off has an event of its own.
    func isMeant(by event: PageFlip) -> Bool {
        event.token == token && (event.crtc == 0 || event.crtc == pipeline.crtc)
    }
}
