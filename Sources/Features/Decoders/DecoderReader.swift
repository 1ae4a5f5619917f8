// SPDX-License-Identifier: Apache-2.0
import Codecs
import System

/// Lists the decoders again, on a thread of its own, because some devices load their firmware when they are opened.
final class DecoderReader {
    let pool: DecoderPool
    private let look: @Sendable () -> DecoderInventory
    private let task: BackgroundTask
    private var waiting: [() -> Void] = []

    /// Lists the decoders for the first time, on the calling thread.
    init(
        _ limits: DecoderLimits, loop: EventLoop, opener: DecoderPool.Opener? = nil,
        look: @escaping @Sendable () -> DecoderInventory
    ) throws(SystemCallError) {
        task = try BackgroundTask(loop: loop)
        pool = DecoderPool(look(), limits: limits, opener: opener)
        self.look = look
    }

    /// Lists the decoders again. Calls during a listing wait for that listing.
    /// - Parameter done: called on the loop's thread when the pool is up to date, or if no thread could be started.
    func read(_ done: @escaping () -> Void) {
        waiting.append(done)
        guard waiting.count == 1 else { return }
        do throws(SystemCallError) {
            try task.run("decoders", { [pool, look] in pool.replace(look()) }, then: { [weak self] in self?.answer() })
        } catch {
            answer()  // the pool keeps the previous listing
        }
    }

    private func answer() {
        let done = waiting
        waiting = []
        for answer in done { answer() }
    }

    func stop() { task.stop() }
}
