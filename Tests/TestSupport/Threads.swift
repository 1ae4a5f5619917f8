// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs each job on a thread of its own.
private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

private let ownThreads = OwnThreads()

/// Runs the body on a thread of its own and returns what it gives; none of Swift's own threads is held up. The body is a
/// part of the test's task, so that what it expects is counted for the test.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withTaskExecutorPreference(ownThreads) { body() }
}

/// Runs each body on a thread of its own and returns when all have ended.
public func onThreads(_ bodies: @Sendable () -> Void...) async {
    await withTaskGroup(of: Void.self) { group in
        for body in bodies { group.addTask { await onThread(body) } }
    }
}
