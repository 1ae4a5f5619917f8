// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The log of a box, instead of standard error.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    func write(_ line: String) { lines.withLock { $0.append(line) } }
    func clear() { lines.withLock { $0 = [] } }

    /// Whether a line begins so.
    func contains(_ beginning: String) -> Bool { lines.withLock { $0.contains { $0.hasPrefix(beginning) } } }
}
