// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import Synchronization
import System
import Time

/// Looks at the machine on a thread of its own, because a disk that fails may keep who looks waiting.
/// - Thread: the loop's thread only.
final class Inspector {
    /// How long the disk is waited for.
    private static let patience = Nanoseconds.seconds(2)

    private let loop: EventLoop
    private let directories: [String]
    private let look: @Sendable () -> Evidence.Machine
    private let task: BackgroundTask
    private let found = Found()
    private var waiting: [(Evidence.Machine) -> Void] = []
    /// Whether a look has begun and has not ended. It may take longer than whoever asked waits.
    private var isLooking = false
    private var deadline: EventLoop.Timer?

    /// Takes what was found from the looking thread to the loop's.
    private final class Found: Sendable {
        let machine = Mutex(Evidence.Machine())
    }

    init(
        loop: EventLoop, directories: [String], inspect: @escaping @Sendable () -> Evidence.Machine
    ) throws(SystemCallError) {
        self.loop = loop
        self.directories = directories
        look = inspect
        task = try BackgroundTask(loop: loop)
    }

    /// - Parameter done: called once. If the disk does not answer in time, with what was known before, and that.
    func inspect(_ done: @escaping (Evidence.Machine) -> Void) {
        waiting.append(done)
        if deadline == nil { deadline = loop.after(Self.patience) { [weak self] in self?.expire() } }
        guard !isLooking else { return }
        isLooking = true
        do throws(SystemCallError) {
            try task.run(
                "inspection",
                { [found, look] in
                    let machine = look()
                    found.machine.withLock { $0 = machine }
                },
                then: { [weak self] in self?.finish() })
        } catch {
            finish()  // no thread: with what was known before
        }
    }

    private func finish() {
        isLooking = false
        answer(found.machine.withLock { $0 })
    }

    private func expire() {
        var machine = found.machine.withLock { $0 }
        machine.storages = directories.prefix(1).map { Evidence.Machine.Storage(path: $0, .isSilent) }
        answer(machine)
    }

    private func answer(_ machine: Evidence.Machine) {
        if let deadline { loop.cancel(deadline) }
        deadline = nil
        let done = waiting
        waiting = []
        for answer in done { answer(machine) }
    }

    /// Waits for a look that has begun.
    func stop() {
        if let deadline { loop.cancel(deadline) }
        (deadline, waiting) = (nil, [])
        task.stop()
    }
}
