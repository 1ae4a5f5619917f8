// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Venue

public final class Journal: Sendable {
    private let levels: Mutex<(LogLevel, [String: LogLevel])>
    public init(level: LogLevel, subsystems: [String: LogLevel]) { levels = Mutex((level, subsystems)) }
    public func log(_ level: LogLevel, _ subsystem: String, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let minimum = levels.withLock { $0.1[subsystem] ?? $0.0 }
        guard level >= minimum else { return }
        let text = "<\(level.priority)>\(subsystem): \(message)" + fields.map { " \($0)=\($1)" }.joined() + "\n"
        _ = text.withCString { write(2, $0, strlen($0)) }
    }
    public func setLevel(_ level: LogLevel, of subsystem: String?) { levels.withLock { if let subsystem { $0.1[subsystem] = level } else { $0.0 = level } } }
    public var current: (level: LogLevel, subsystems: [String: LogLevel]) { levels.withLock { ($0.0, $0.1) } }
}
