// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// The buffers from which a screen shows the canvas: two of the mode's size, one shown while the other is written.
/// - Thread: the render thread only.
struct SwapChain {
    typealias Pair = (next: any ScanoutBuffer, shown: any ScanoutBuffer)

    /// Buffers of the current mode; nil while no screen is on.
    private(set) var current: Pair?
    /// Whether `current.next` holds a canvas that no flip has shown.
    private(set) var hasNewCanvas = false
    /// Buffers of another size, for a mode that is being tested.
    private var candidate: Pair?
    /// Buffers of modesets that were given up. The card may still show them, and removing them would wait for that.
    private var abandoned: [Pair] = []

    /// The buffer that the next flip shows.
    var front: (any ScanoutBuffer)? { hasNewCanvas ? current?.next : current?.shown }

    /// - Parameter pending: the buffers of the modeset that is under way.
    /// - Returns: buffers of the pipeline's size: the existing ones if the canvas can be written to them, otherwise new
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

    /// A test succeeded only with these buffers instead of the proposed ones.
    mutating func replaceCandidate(_ pair: Pair) { candidate = pair }

    /// Writes the canvas to the buffer that the next flip shows.
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

    /// A modeset has begun.
    /// - Parameter given: the buffers of the unfinished modeset that it replaces.
    mutating func modesetBegun(givingUp given: Pair?) {
        if let given, given.next !== current?.next {
            abandoned.removeAll { $0.next === given.next }
            abandoned.append(given)
        }
        candidate = nil
    }

    /// A modeset is done and shows `pair.next`.
    mutating func modesetDone(_ pair: Pair) {
        current = (next: pair.shown, shown: pair.next)
        (hasNewCanvas, abandoned) = (false, [])
    }

    /// The screen is dark.
    mutating func removeShown() { (current, abandoned) = (nil, []) }

    /// The card is gone.
    mutating func removeAll() { (current, candidate, abandoned) = (nil, nil, []) }
}
