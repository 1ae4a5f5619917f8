// SPDX-License-Identifier: Apache-2.0
import Time

/// Sums over the reports of one commit, so that each minute and hour of an access point is written once.
struct AirGroup {
    struct Key: Hashable {
        /// When the minute or hour begins, ms.
        let time: Int64
        let place: AirCount.Place
    }

    private var minutes: [Key: AirSums] = [:]
    private var hours: [Key: AirSums] = [:]
    /// Name and SSID of each access point, by its address.
    private(set) var names: [String: [String?]] = [:]

    mutating func add(_ count: AirCount, at time: WallTime) {
        let minute = Key(time: Retention.begin(of: time, .minute), place: count.place)
        let hour = Key(time: Retention.begin(of: time, .hour), place: count.place)
        minutes[minute, default: AirSums()].add(count.sums)
        hours[hour, default: AirSums()].add(count.sums)
        names[count.place.bssid] = [count.name, count.ssid]
    }

    func sums(of resolution: Retention.Resolution) -> [Key: AirSums] { resolution == .minute ? minutes : hours }
}
