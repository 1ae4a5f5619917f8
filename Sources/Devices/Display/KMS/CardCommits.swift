// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// The commits of a screen on its card, the pipeline that they drive, and the state of the card before.
/// - Thread: the render thread only.
struct CardCommits {
    private(set) var device: (any KMSDevice)?
    /// The pipeline of the modeset begun last; nil while the screen is dark.
    private(set) var driven: DisplayPipeline?
    /// The modeset that was begun and is not known to be done.
    private(set) var pending: PendingModeset?
    private let events: PageFlipEvents
    /// Token of the newest commit that has a page flip event.
    private var token: UInt64 = 0
    private var saved = SavedState()

    init(_ events: PageFlipEvents) { self.events = events }

    mutating func adopt(_ new: any KMSDevice) { device = new }

    /// Saves the state of the pipeline's objects before they are changed.
    mutating func save(_ pipeline: DisplayPipeline) {
        guard let device else { return }
        for connector in [pipeline.connector] + pipeline.others { saved.save(connector: connector, of: device) }
        for object in [pipeline.crtc, pipeline.plane] { saved.save(object, of: device) }
    }

    /// Saves the state of planes, likewise.
    mutating func save(planes: [UInt32]) {
        guard let device else { return }
        for plane in planes { saved.save(plane, of: device) }
    }

    /// Forgets what was saved of connectors that the card has no more.
    mutating func keepConnectors(_ present: Set<UInt32>) { saved.keepConnectors(present) }

    // MARK: Commits

    func commit(_ settings: [KMSSetting], _ options: KMSCommit) throws(DisplayError) {
        guard let device else { throw .missing("a card") }
        do throws(DisplayError) {
            try device.commit(settings, options, token: token)
        } catch {
            // Another process was the card's master and may have dropped it by now.
            guard case .kms(_, EACCES) = error, device.becomeMaster() else { throw error }
            try device.commit(settings, options, token: token)
        }
    }

    /// The settings of a modeset. Objects that were driven and are not part of it are switched off.
    /// - Parameter leaving: settings for planes that no longer show a video.
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

    /// Gives the next commit page flip events of its own.
    mutating func renewToken() { token = events.nextToken() }

    // MARK: Modesets

    mutating func modesetBegun(
        _ pipeline: DisplayPipeline, blob: consuming PropertyBlob, buffers: SwapChain.Pair
    ) {
        pending = PendingModeset(pipeline, token: token, blob: blob, buffers: buffers)
        driven = pipeline
    }

    mutating func modesetEnded() { pending = nil }

    /// The event of the modeset that was begun, if it has come.
    func takeModeset() throws(DisplayError) -> (modeset: PendingModeset, event: PageFlip)? {
        guard let device else { return nil }
        while let pending, let event = try events.take(pending.token, from: device) {
            if pending.isMeant(by: event) { return (pending, event) }
        }
        return nil
    }

    // MARK: Page flips

    /// - Parameter timeout: the remaining time, asked before each wait.
    /// - Returns: the page flip event of the newest commit; nil if it does not come in time.
    func takeFlip(timeout: () -> Nanoseconds = { .zero }) throws(DisplayError) -> PageFlip? {
        guard let device else { return nil }
        return try events.take(token, from: device, timeout: timeout)
    }

    // MARK: Release

    /// Switches the screen off without waiting for it.
    /// - Parameter leaving: settings for planes that no longer show a video.
    /// - Returns: false if the card refuses; the buffers must then stay.
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

    /// Restores the card's previous state, for instance a console's.
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

    /// Drops the card's objects, which cannot be used any more.
    mutating func forget() {
        (pending, driven, device) = (nil, nil, nil)
        saved = SavedState()
    }
}
