// SPDX-License-Identifier: Apache-2.0
import Codecs
import System

/// Asks the decoders anew, on a thread of its own: some load their firmware when they are opened.
final class DecoderReader {
    let desk: DecoderDesk
    private let look: @Sendable () -> DecoderInventory
    private let waker: Waker
    private var thread: DedicatedThread?
    private var waiting: [() -> Void] = []

    /// Asks them a first time, before anything is decoded.
    init(
        _ limits: DecoderLimits, loop: EventLoop, opener: DecoderDesk.Opener? = nil,
        look: @escaping @Sendable () -> DecoderInventory
    ) throws(SystemCallError) {
        let inbox = LateHandler()
        waker = try loop.makeWaker { inbox.handler() }
        desk = DecoderDesk(look(), limits: limits, opener: opener)
        self.look = look
        inbox.handler = { [unowned self] in finish() }
    }

    /// - Parameter done: called on the loop's thread when the desk knows.
    func read(_ done: @escaping () -> Void) {
        waiting.append(done)
        guard thread == nil else { return }
        do throws(SystemCallError) {
            thread = try DedicatedThread("decoders") { [desk, look, waker] in
                desk.replace(look())
                waker.wake()
            }
        } catch {
            finish()  // what is known is not wrong either
        }
    }

    private func finish() {
        stop()
        let done = waiting
        waiting = []
        for answer in done { answer() }
    }

    func stop() {
        thread?.join()
        thread = nil
    }
}
