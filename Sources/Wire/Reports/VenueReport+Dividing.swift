// SPDX-License-Identifier: Apache-2.0

extension VenueReport {
    /// Octets of one of several reports; a box makes batches of twice as many.
    private static let wantedOctets = 120 << 10

    /// Divides what is told at once into reports of which none is too long. The last one has the overview; of alerts that would
    /// make it too long, the first are told.
    public func divided() -> [VenueReport] {
        var (parts, part, octets): ([VenueReport], VenueReport, Int) = ([], VenueReport(), 0)
        func add(_ more: Int, _ count: (VenueReport) -> Int, _ limit: Int, _ change: (inout VenueReport) -> Void) {
            if octets + more > Self.wantedOctets || count(part) >= limit {
                parts.append(part)
                (part, octets) = (VenueReport(), 0)
            }
            change(&part)
            octets += more
        }
        for box in boxes { add(box.mostOctets, \.boxes.count, Self.mostBoxes) { $0.boxes.append(box) } }
        for sum in minutes { add(sum.mostOctets, \.minutes.count, Self.mostSums) { $0.minutes.append(sum) } }
        for sum in hours { add(sum.mostOctets, \.hours.count, Self.mostSums) { $0.hours.append(sum) } }
        if var overview {
            overview.states = Array(overview.states.prefix(Self.mostStates))
            var room = Self.wantedOctets / 2
            overview.alerts = overview.alerts.prefix(Self.mostAlerts).filter { alert in
                room -= alert.octets().count + 1
                return room >= 0
            }
            part.overview = overview
        }
        if !part.isEmpty { parts.append(part) }
        return parts
    }
}
