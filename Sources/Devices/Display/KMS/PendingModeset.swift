// SPDX-License-Identifier: Apache-2.0

/// The setting of a mode that is begun, and not seen to be done.
struct PendingModeset {
    let pipeline: DisplayPipeline
    let token: UInt64
    /// Of the mode; kept until then, for a card that looks at it later.
    let blob: UInt32
    let buffers: ScreenCanvas.Buffers
    /// Something newer was presented since.
    var isOutdated = false

    init(_ pipeline: DisplayPipeline, token: UInt64, blob: UInt32, buffers: ScreenCanvas.Buffers) {
        self.pipeline = pipeline
        self.token = token
        self.blob = blob
        self.buffers = buffers
    }

    /// Where another CRTC is left dark, it has an event of its own.
    func isMeant(by event: PageFlip) -> Bool {
        event.token == token && (event.crtc == 0 || event.crtc == pipeline.crtc)
    }
}
