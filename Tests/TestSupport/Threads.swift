// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs the body on a thread of its own and returns what it gives; none of Swift's own threads is held up.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { ended in
        Thread.detachNewThread { ended.resume(returning: body()) }
    }
}

/// Runs each body on a thread of its own and returns when all have ended.
public func onThreads(_ bodies: @Sendable () -> Void...) async {
    await withTaskGroup(of: Void.self) { group in
        for body in bodies { group.addTask { await onThread(body) } }
    }
}
