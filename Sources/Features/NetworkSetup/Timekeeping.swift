// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// From where the box knows what time it is, and since when.
struct Timekeeping {
    enum Source: String, Sendable, CaseIterable {
        /// A time server has set the kernel's clock and keeps it.
        case ntp
        /// The stream that plays says the time that the screen shows; the kernel's clock goes by nothing.
        case stream
        /// The machine's own clock, which went on while the box was off.
        case rtc
        /// The time at which the box was last on.
        case saved
    }

    /// Whether the kernel has read a clock of the machine when it started.
    let hasOwnClock: Bool
    private(set) var state: SystemClock.State?
    private(set) var source: Source
    /// The box's clock when the source became this one; nil before the first observation.
    private(set) var since: WallTime?

    init(hasOwnClock: Bool) {
        self.hasOwnClock = hasOwnClock
        source = hasOwnClock ? .rtc : .saved
    }

    /// Asks the kernel of the machine.
    init() {
        // A machine without such a clock has no such file.
        self.init(hasOwnClock: (try? DurableFile.read("/sys/class/rtc/rtc0/hctosys"))?.first == UInt8(ascii: "1"))
    }

    /// To be called once a second.
    /// - Parameters:
    ///   - state: nil where the kernel must not be asked.
    ///   - streamTells: whether the screen shows the time of the stream.
    mutating func observe(_ state: SystemClock.State?, streamTells: Bool, at now: WallTime) {
        self.state = state
        let before = source
        source =
            state?.isSynchronised == true ? .ntp : streamTells ? .stream : hasOwnClock ? .rtc : .saved
        if source != before || since == nil { since = now }
    }
}
