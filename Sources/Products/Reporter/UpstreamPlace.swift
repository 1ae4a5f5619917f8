// SPDX-License-Identifier: Apache-2.0
import Collecting
import JSON
import System
import Time

/// Up to where a region has the sums of this venue. It is on the disk only when the region has acknowledged that, so that a
/// crash has sums told again, and none left out: those that are told again change nothing at the region.
struct UpstreamPlace: Equatable {
    /// The region and the venue that it is of.
    let subject: String
    /// Beginnings of the first minute and hour that are still to be told, ms.
    var minute: Int64 = 0
    var hour: Int64 = 0

    init(subject: String) { self.subject = subject }

    subscript(resolution: Retention.Resolution) -> WallTime {
        get { WallTime(nanoseconds: (resolution == .minute ? minute : hour) &* 1_000_000) }
        set {
            let milliseconds = newValue.nanoseconds / 1_000_000
            if resolution == .minute { minute = milliseconds } else { hour = milliseconds }
        }
    }

    /// - Returns: the beginning if there is no file, or it is damaged or of another region: then all sums are told again.
    static func read(_ path: String, of subject: String) throws(SystemCallError) -> UpstreamPlace {
        var place = UpstreamPlace(subject: subject)
        guard let octets = try DurableFile.read(path, limit: 4_096),
            let document = try? JSONValue.parse(octets), document["subject"]?.string == subject,
            let minute = document["minute"]?.integer, let hour = document["hour"]?.integer,
            (0...9_000_000_000_000).contains(minute), (0...9_000_000_000_000).contains(hour)
        else { return place }
        (place.minute, place.hour) = (minute, hour)
        return place
    }

    func write(_ path: String) throws(SystemCallError) {
        let document: JSONValue = ["subject": .string(subject), "minute": .integer(minute), "hour": .integer(hour)]
        try DurableFile.write(document.octets(), to: path, mode: 0o600)
    }
}
