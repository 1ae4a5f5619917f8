// SPDX-License-Identifier: Apache-2.0
import Radio
import System

/// Watches all radios (nl80211) and wires (rtnetlink, ethtool) of the box on a thread of its own, because a driver may take
/// its time to answer. It needs no privilege.
public final class RadioWatch: Sendable {
    public enum Report: Sendable {
        /// How all radios and interfaces are; once a second, and soon after an event that changes them.
        case observed(RadioObservation, links: [LinkFigures])
        case event(RadioEvent)
        /// Events are missing before this report.
        case lost
        /// The kernel did not answer; the watch goes on.
        /// - why: for the log.
        case failed(String)
    }

    private let exchange: RadioExchange
    private let thread: DedicatedThread

    /// - Parameter wake: tells the owner that there are reports; called on the watch's thread.
    public init(wake: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let exchange = try RadioExchange(wake: wake)
        self.exchange = exchange
        thread = try DedicatedThread("radios") { RadioService(exchange).run() }
    }

    /// The reports since the last call, in order.
    public func takeReports() -> [Report] { exchange.takeReports() }

    /// Looks at once.
    public func look() { exchange.look() }

    /// Ends the thread, and returns when it has ended: at once, unless a driver keeps the kernel waiting.
    public func stop() {
        exchange.stop()
        thread.join()
    }
}
