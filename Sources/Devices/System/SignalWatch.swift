// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// SIGINT, SIGTERM and SIGHUP as readable events. `main` makes it before anything else, because threads inherit the
/// blocked signals.
public struct SignalWatch: ~Copyable {
    private let descriptor: FileDescriptor

    public enum Signal: Sendable {
        case terminate, hangUp
        /// The terminal's size changed (SIGWINCH).
        case resize
    }

    /// - Parameter watchesTerminal: whether SIGWINCH is watched too.
    public init(watchesTerminal: Bool = false) throws(SystemCallError) {
        let signals = [SIGINT, SIGTERM, SIGHUP] + (watchesTerminal ? [SIGWINCH] : [])
        descriptor = FileDescriptor(
            adopting: try syscall("signalfd") { touchline_signal_fd(signals, CInt(signals.count)) })
        signal(SIGPIPE, SIG_IGN)
    }

    public var rawValue: CInt { descriptor.rawValue }

    /// The next pending signal; nil if there is none.
    public func next() -> Signal? {
        switch touchline_signal_read(descriptor.rawValue) {
        case SIGINT, SIGTERM: .terminate
        case SIGHUP: .hangUp
        case SIGWINCH: .resize
        default: nil
        }
    }
}
