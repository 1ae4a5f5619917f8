// SPDX-License-Identifier: Apache-2.0

/// How soon a thread runs that could. Where the system does not permit it, as soon as others.
public enum ThreadUrgency: Sendable {
    /// As the system shares its time out.
    case usual
    /// In front of all of those: what is done in a moment and then waits, and what others wait for. A thread that works
    /// without ever waiting keeps them from running: after 5 s of that the kernel ends the process (SIGXCPU).
    case prompt
    /// In front of `prompt` too: what a device waits for.
    case paced

    /// Of `SCHED_RR`, the lowest there are; nil: none.
    var priority: Int32? {
        switch self {
        case .usual: nil
        case .prompt: 1
        case .paced: 2
        }
    }
}
