// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What a journal writes, in place of standard error. Any thread.
public final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    public init() {}

    public func write(_ line: String) { lines.withLock { $0.append(line) } }
    public func clear() { lines.withLock { $0 = [] } }

    public var all: [String] { lines.withLock { $0 } }

    /// Whether a line begins so.
    public func contains(_ beginning: String) -> Bool { all.contains { $0.hasPrefix(beginning) } }
}
