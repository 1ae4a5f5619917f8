// SPDX-License-Identifier: Apache-2.0
import Settings
import Time

/// For how long `network.debug` is in effect. It ends by itself, so that a trace that was forgotten does not fill the log.
///
/// - Thread: the control loop's thread only.
public final class NetworkDebugWindow {
    private var debug = Settings.NetworkDebug()
    /// nil if nothing is asked for, or if the end was told.
    private var end: Monotonic?

    public init() {}

    /// Begins the time anew, at a start of the box and when the settings change.
    public func open(_ debug: Settings.NetworkDebug, at now: Monotonic) {
        self.debug = debug
        end = debug.asksNothing ? nil : now + .seconds(Int64(debug.minutes) * 60)
    }

    public func isOpen(at now: Monotonic) -> Bool { end.map { now < $0 } ?? false }

    public func tracesGroups(at now: Monotonic) -> Bool { debug.tracesGroups && isOpen(at: now) }

    /// Whether what concerns this access point is logged in full.
    /// - Parameter bssid: in lower case, with ':' between octets.
    public func isWatched(_ bssid: String, at now: Monotonic) -> Bool {
        isOpen(at: now) && debug.accessPoints.contains(bssid)
    }

    /// The time that is left; nil if nothing is in effect.
    public func rest(at now: Monotonic) -> Nanoseconds? { end.map { max(.zero, $0 - now) } }

    /// Whether the time is over since the last call.
    public func hasEnded(at now: Monotonic) -> Bool {
        guard let end, now >= end else { return false }
        self.end = nil
        return true
    }
}
