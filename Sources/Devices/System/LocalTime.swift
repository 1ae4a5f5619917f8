// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

extension SystemClock {
    /// RFC 3339 in the zone of this process (`TZ`, else that of the machine), whole seconds:
    /// `2026-11-21T02:02:03+01:00`.
    public static func local(_ time: WallTime) -> String {
        var (fields, seconds) = (tm(), time_t(time.nanoseconds / 1_000_000_000))
        // Refused for years that an int does not hold, which these nanoseconds do not reach.
        let offset = localtime_r(&seconds, &fields) == nil ? 0 : fields.tm_gmtoff
        let shifted = WallTime(nanoseconds: time.nanoseconds &+ Int64(offset) * 1_000_000_000)
        let minutes = abs(offset) / 60
        let (hours, rest) = (minutes / 60, minutes % 60)
        return "\(shifted.description.prefix(19))\(offset < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours)"
            + ":\(rest < 10 ? "0" : "")\(rest)"
    }
}
