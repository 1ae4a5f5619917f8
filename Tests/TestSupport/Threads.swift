// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs each body on a thread of its own and returns when all have ended; none of Swift's own threads is held up.
public func onThreads(_ bodies: @Sendable () -> Void...) async {
    await withTaskGroup(of: Void.self) { group in
        for body in bodies {
            group.addTask {
                await withCheckedContinuation { ended in
                    Thread.detachNewThread {
                        body()
                        ended.resume()
                    }
                }
            }
        }
    }
}
