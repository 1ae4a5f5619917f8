// SPDX-License-Identifier: Apache-2.0
import Recording
import Synchronization
import System

/// The incidents on the disk, and the thread that waits for it. One piece of work runs at a time, in the order in which
/// they were given.
///
/// - Thread: the control loop's only.
final class IncidentWork {
    /// What the work left for the control loop.
    struct Shown: Sendable {
        var incidents: [Incident] = []
        var octets = 0
    }

    /// Sendable: only the running work touches the shelf, and one runs at a time.
    private final class Shelf: @unchecked Sendable {
        let shelf: IncidentShelf
        let shown = Mutex(Shown())

        init(_ files: any IncidentFiles) { shelf = IncidentShelf(files) }

        func show() {
            let shown = Shown(incidents: shelf.incidents, octets: shelf.total)
            self.shown.withLock { $0 = shown }
        }
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, SystemCallError>?>(nil)
    }

    private let task: BackgroundTask
    private let shelf: Shelf
    private var waiting: [() -> Void] = []
    private var isBusy = false
    private var isStopped = false

    /// Pieces of work that may wait.
    private static let most = 32

    init(_ files: any IncidentFiles, loop: EventLoop) throws(SystemCallError) {
        task = try BackgroundTask(loop: loop)
        shelf = Shelf(files)
    }

    var shown: Shown { shelf.shown.withLock { $0 } }

    /// - Returns: false if too much waits already; nothing is done then.
    @discardableResult
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (IncidentShelf) throws(SystemCallError) -> Value,
        then done: @escaping (Result<Value, SystemCallError>) -> Void
    ) -> Bool {
        guard waiting.count < Self.most, !isStopped else { return false }
        waiting.append { [unowned self] in start(work, done) }
        next()
        return true
    }

    private func next() {
        guard !isBusy, !waiting.isEmpty else { return }
        isBusy = true
        waiting.removeFirst()()
    }

    private func start<Value: Sendable>(
        _ work: @escaping @Sendable (IncidentShelf) throws(SystemCallError) -> Value,
        _ done: @escaping (Result<Value, SystemCallError>) -> Void
    ) {
        let (shelf, outcome) = (shelf, Outcome<Value>())
        do throws(SystemCallError) {
            try task.run(
                "incidents",
                {
                    let result = Result { () throws(SystemCallError) in try work(shelf.shelf) }
                    shelf.show()
                    outcome.value.withLock { $0 = result }
                },
                then: { [weak self] in
                    self?.isBusy = false
                    if let result = outcome.value.withLock({ $0 }) { done(result) }
                    self?.next()
                })
        } catch {
            isBusy = false
            done(.failure(error))
        }
    }

    /// Waits for what runs. What waits is not done.
    func stop() {
        isStopped = true
        waiting = []
        task.stop()
    }
}
