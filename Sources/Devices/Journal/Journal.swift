// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System
import Venue

/// The structured log of a process: a level for all, and one for each subsystem that has its own (SVM-08).
///
/// Any thread of the control plane may log; media threads count instead.
public final class Journal: Sendable {
    /// The levels that are in force.
    public struct Levels: Equatable, Sendable {
        public var level: LogLevel
        /// Of subsystems that have one of their own, whether they have logged yet or not.
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

    /// - Parameter write: takes whole lines, from any thread; standard error when absent.
    public init(levels: Levels = Levels(), write: @escaping @Sendable (_ line: String) -> Void = Journal.standardError)
    {
        state = Mutex(State(levels: levels))
        self.write = write
    }

    /// - Parameter subsystem: lower case letters and digits, as `log.subsystems` of the settings wants them.
    public func log(for subsystem: String) -> Log {
        let threshold = state.withLock { state in
            if let known = state.thresholds[subsystem] { return known }
            let made = Threshold(state.levels.level(of: subsystem))
            state.thresholds[subsystem] = made
            return made
        }
        return Log(subsystem: subsystem, threshold: threshold, write: write)
    }

    /// At once, for logs that were given out before as well.
    public var levels: Levels {
        get { state.withLock { $0.levels } }
        set {
            state.withLock { state in
                state.levels = newValue
                for (subsystem, threshold) in state.thresholds { threshold.level = newValue.level(of: subsystem) }
            }
        }
    }

    /// One write for one line, so that lines of several threads do not mix.
    @Sendable
    public static func standardError(_ line: String) {
        // With standard error gone there is nobody to tell.
        try? StandardStream.error.write(Array(line.utf8))
    }
}

/// The level of one subsystem, read by its logs without a lock.
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
