// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// The buffers that a screen shows the canvas from: two of the mode's size, of which one is shown while the other is
/// written.
/// - Thread: the render thread's alone.
struct SwapChain {
    typealias Pair = (next: any ScanoutBuffer, shown: any ScanoutBuffer)

    /// Of the mode that is set; nil while no screen is on.
    private(set) var current: Pair?
    /// Whether `current.next` holds a canvas that no flip has shown.
    private(set) var hasNewCanvas = false
    /// Of another size, for a mode that is tested.
    private var candidate: Pair?
    /// Of modesets that were given up: the card may show them after all, and removing them would wait for that.
    private var abandoned: [Pair] = []

    /// What the next flip shows.
    var front: (any ScanoutBuffer)? { hasNewCanvas ? current?.next : current?.shown }

    /// - Parameter pending: the buffers of the modeset that is under way.
    /// - Returns: buffers of the pipeline's size: those that are there if the canvas can be written on them, else new
    ///   ones.
    mutating func pair(
        for pipeline: DisplayPipeline, pending: Pair?, _ canvas: ScreenCanvas, on device: any KMSDevice
    ) throws(DisplayError) -> Pair {
        let size = pipeline.timing.mode.size
        let known = [current, candidate, pending].compactMap { $0 } + abandoned
        if let same = known.first(where: { $0.next.size == size && canvas.accepts($0) }) { return same }
        let made = try canvas.makeBuffers(size, for: pipeline.plane, on: device)
        candidate = made
        return made
    }

    /// A test was accepted with these buffers instead of those that it was asked for.
    mutating func replaceCandidate(_ pair: Pair) { candidate = pair }

    /// Writes the canvas on the buffer that the next flip shows.
    mutating func write(
        _ canvas: ScreenCanvas, hole: PixelRectangle?, on device: any KMSDevice
    ) throws(DisplayError) {
        guard let next = current?.next else { return }
        current?.next = try canvas.write(on: next, hole: hole, device)
        hasNewCanvas = true
    }

    /// A flip is done.
    mutating func flipDone() {
        if hasNewCanvas, let current { self.current = (next: current.shown, shown: current.next) }
        hasNewCanvas = false
    }

    /// A modeset is begun.
    /// - Parameter given: the buffers of the modeset that it replaces, which was not done.
    mutating func modesetBegun(givingUp given: Pair?) {
        if let given, given.next !== current?.next {
            abandoned.removeAll { $0.next === given.next }
            abandoned.append(given)
        }
        candidate = nil
    }

    /// A modeset is done: it shows `pair.next`.
    mutating func modesetDone(_ pair: Pair) {
        current = (next: pair.shown, shown: pair.next)
        (hasNewCanvas, abandoned) = (false, [])
    }

    /// The screen is dark.
    mutating func removeShown() { (current, abandoned) = (nil, []) }

    /// The card is gone.
    mutating func removeAll() { (current, candidate, abandoned) = (nil, nil, []) }
}
