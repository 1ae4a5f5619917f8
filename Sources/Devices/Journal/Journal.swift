// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System
import Venue

/// The structured log of a process. It has a default level, and a subsystem may have a level of its own (SVM-08).
///
/// Any thread of the control plane may log; media threads count events instead.
public final class Journal: Sendable {
    /// The levels in force.
    public struct Levels: Equatable, Sendable {
        public var level: LogLevel
        /// Levels of the subsystems that have their own; a subsystem need not have logged yet.
        public var subsystems: [String: LogLevel]

        public init(level: LogLevel = .info, subsystems: [String: LogLevel] = [:]) {
            self.level = level
            self.subsystems = subsystems
        }

        func level(of subsystem: String) -> LogLevel { subsystems[subsystem] ?? level }
    }

    private struct State {
        var levels: Levels
        var thresholds: [String: Threshold] = [:]
    }

    private let state: Mutex<State>
    private let write: @Sendable (_ line: String) -> Void

    /// - Parameter write: called with whole lines, from any thread; standard error by default.
    public init(levels: Levels = Levels(), write: @escaping @Sendable (_ line: String) -> Void = Journal.standardError)
    {
        state = Mutex(State(levels: levels))
        self.write = write
    }

    /// - Parameter subsystem: lower-case letters and digits, as the setting `log.subsystems` requires.
    public func log(for subsystem: String) -> Log {
        let threshold = state.withLock { state in
            if let known = state.thresholds[subsystem] { return known }
            let made = Threshold(state.levels.level(of: subsystem))
            state.thresholds[subsystem] = made
            return made
        }
        return Log(subsystem: subsystem, threshold: threshold, write: write)
    }

    /// The subsystems that log, in order.
    public var subsystems: [String] { state.withLock { $0.thresholds.keys.sorted() } }

    /// Setting this takes effect at once, also for logs handed out before.
    public var levels: Levels {
        get { state.withLock { $0.levels } }
        set {
            state.withLock { state in
                state.levels = newValue
                for (subsystem, threshold) in state.thresholds { threshold.level = newValue.level(of: subsystem) }
            }
        }
    }

    /// Writes each line by a single call, so that lines of several threads do not mix.
    @Sendable
    public static func standardError(_ line: String) {
        // A failure to write to standard error cannot be reported anywhere.
        try? StandardStream.error.write(Array(line.utf8))
    }
}

/// The level of one subsystem, which its logs read without a lock.
final class Threshold: Sendable {
    private let priority: Atomic<Int>

    init(_ level: LogLevel) { priority = Atomic(level.priority) }

    var level: LogLevel {
        get {
            let priority = priority.load(ordering: .relaxed)
            return LogLevel.allCases.first { $0.priority == priority } ?? .info
        }
        set { priority.store(newValue.priority, ordering: .relaxed) }
    }

    func admits(_ level: LogLevel) -> Bool { level.priority <= priority.load(ordering: .relaxed) }
}
