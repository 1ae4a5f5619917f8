// SPDX-License-Identifier: Apache-2.0

/// How soon a runnable thread gets a core. If the system refuses the urgency, the thread runs like any other.
public enum ThreadUrgency: Sendable {
    /// Normal scheduling.
    case usual
    /// Before all usual threads: for short work between waits, on which others depend. A thread that never blocks would
    /// starve them, so after 5 s without blocking the kernel ends the process (SIGXCPU).
    case prompt
    /// Before `prompt` threads too: for work on which a device waits.
    case paced

    /// Priority in `SCHED_RR`, from the lowest upwards; nil for normal scheduling.
    var priority: Int32? {
        switch self {
        case .usual: nil
        case .prompt: 1
        case .paced: 2
        }
    }
}
