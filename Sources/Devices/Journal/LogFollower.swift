// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System
import Time

/// Takes the lines of a log from the threads that write them to the one that passes them on. It keeps those from before
/// anybody asked for them, as many as there is room for.
public final class LogFollower: Sendable {
    public struct Line: Equatable, Sendable {
        public let time: WallTime
        public let text: String
    }

    /// The most lines that wait. Further ones are lost, and counted.
    private static let most = 512

    private struct State {
        var lines: [Line] = []
        var lost = 0
        var isOpen = true
        var waker: Waker?
    }

    private let state = Mutex(State())

    public init() {}

    /// Takes a line.
    /// - Thread: any. It waits for nobody for long.
    public func take(_ text: String) {
        let waker = state.withLock { state -> Waker? in
            guard state.isOpen else { return nil }
            guard state.lines.count < Self.most else {
                state.lost += 1
                return nil
            }
            state.lines.append(Line(time: SystemClock.wall(), text: text))
            return state.lines.count == 1 ? state.waker : nil
        }
        waker?.wake()
    }

    /// Keeps lines from now on, and wakes when there are some.
    public func open(_ waker: Waker) {
        let hasLines = state.withLock { state in
            state.isOpen = true
            state.waker = waker
            return !state.lines.isEmpty
        }
        if hasLines { waker.wake() }
    }

    /// Forgets what waits, and keeps no more lines.
    public func close() {
        state.withLock { state in
            state.isOpen = false
            state.lines = []
            state.waker = nil
        }
    }

    /// All lines that wait, and how many were lost since the last time.
    public func drain() -> (lines: [Line], lost: Int) {
        state.withLock { state in
            defer { (state.lines, state.lost) = ([], 0) }
            return (state.lines, state.lost)
        }
    }
}
