// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// What a screen commits on its card, the pipeline that it drives, and how the card was before.
/// - Thread: the render thread's alone.
struct CardCommits {
    private(set) var device: (any KMSDevice)?
    /// The pipeline of the last modeset that was begun; nil while the screen is dark.
    private(set) var driven: DisplayPipeline?
    /// The modeset that is begun and not seen to be done.
    private(set) var pending: PendingModeset?
    private let events: PageFlipEvents
    /// Of the newest commit that has a page flip event.
    private var token: UInt64 = 0
    private var saved = SavedState()

    init(_ events: PageFlipEvents) { self.events = events }

    mutating func adopt(_ new: any KMSDevice) { device = new }

    /// Saves the state of objects that are about to be touched.
    mutating func save(_ objects: [UInt32]) {
        guard let device else { return }
        for object in objects { saved.save(object, of: device) }
    }

    // MARK: Commits

    func commit(_ settings: [KMSSetting], _ options: KMSCommit) throws(DisplayError) {
        guard let device else { throw .missing("a card") }
        do throws(DisplayError) {
            try device.commit(settings, options, token: token)
        } catch {
            // Another process was the card's master, and may have dropped it by now.
            guard case .kms(_, EACCES) = error, device.becomeMaster() else { throw error }
            try device.commit(settings, options, token: token)
        }
    }

    /// The settings of a modeset. What was driven before and is not part of it goes dark.
    /// - Parameter leaving: planes that a video leaves.
    func settings(
        _ pipeline: DisplayPipeline, showing framebuffer: UInt32, blob: UInt32, leaving: [KMSSetting]
    ) -> [KMSSetting] {
        let new = pipeline.settings(showing: framebuffer, modeBlob: blob)
        guard let driven else { return new }
        let objects = Set(new.map(\.object))
        var left = (driven.disabling + leaving).filter { !objects.contains($0.object) }
        // A connector that the pipeline takes from its CRTC is set already.
        left.removeAll { pipeline.others.contains($0.object) }
        return left + new
    }

    /// The next commit has page flip events of its own.
    mutating func renewToken() { token = events.nextToken() }

    // MARK: Modesets

    mutating func modesetBegun(
        _ pipeline: DisplayPipeline, blob: consuming PropertyBlob, buffers: SwapChain.Pair
    ) {
        pending = PendingModeset(pipeline, token: token, blob: blob, buffers: buffers)
        driven = pipeline
    }

    mutating func modesetEnded() { pending = nil }

    /// The event of the modeset that is begun, if it has come.
    func takeModeset() throws(DisplayError) -> (modeset: PendingModeset, event: PageFlip)? {
        guard let device else { return nil }
        while let pending, let event = try events.take(pending.token, from: device) {
            if pending.isMeant(by: event) { return (pending, event) }
        }
        return nil
    }

    // MARK: Page flips

    /// - Parameter timeout: what is left of it, asked before each wait.
    /// - Returns: the page flip event of the newest commit; nil if it does not come in time.
    func takeFlip(timeout: () -> Nanoseconds = { .zero }) throws(DisplayError) -> PageFlip? {
        guard let device else { return nil }
        return try events.take(token, from: device, timeout: timeout)
    }

    // MARK: The end

    /// Has the screen go dark without waiting for it.
    /// - Parameter leaving: planes that a video leaves.
    /// - Returns: false if the card refuses, and the buffers have to stay.
    mutating func disable(leaving: [KMSSetting]) -> Bool {
        guard let driven else { return true }
        do throws(DisplayError) {
            try commit(driven.disabling + leaving, [.allowModeset, .nonblocking])
        } catch {
            return false
        }
        (pending, self.driven) = (nil, nil)
        return true
    }

    /// Restores the card's state from before, a console's for instance.
    /// - Returns: false if the card refuses.
    func restore(_ options: KMSCommit) -> Bool {
        guard let device, !saved.isEmpty else { return true }
        do throws(DisplayError) {
            try saved.restore(on: device) { settings throws(DisplayError) -> Void in
                try self.commit(settings, options.union(.allowModeset))
            }
        } catch {
            return false
        }
        return true
    }

    /// The card's objects are of no use any more.
    mutating func forget() {
        (pending, driven, device) = (nil, nil, nil)
        saved = SavedState()
    }
}
