// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// SIGINT, SIGTERM and SIGHUP as readable events. Made first of all in `main`: threads inherit the blocked signals.
public struct SignalWatch: ~Copyable {
    private let descriptor: FileDescriptor

    public enum Signal: Sendable {
        case terminate, hangUp
        /// The terminal has another size.
        case resize
    }

    /// - Parameter watchesTerminal: SIGWINCH as well.
    public init(watchesTerminal: Bool = false) throws(SystemCallError) {
        let signals = [SIGINT, SIGTERM, SIGHUP] + (watchesTerminal ? [SIGWINCH] : [])
        descriptor = FileDescriptor(
            adopting: try syscall("signalfd") { touchline_signal_fd(signals, CInt(signals.count)) })
        signal(SIGPIPE, SIG_IGN)
    }

    public var rawValue: CInt { descriptor.rawValue }

    /// The next signal that came; nil when none waits.
    public func next() -> Signal? {
        switch touchline_signal_read(descriptor.rawValue) {
        case SIGINT, SIGTERM: .terminate
        case SIGHUP: .hangUp
        case SIGWINCH: .resize
        default: nil
        }
    }
}
