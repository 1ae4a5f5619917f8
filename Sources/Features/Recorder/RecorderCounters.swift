// SPDX-License-Identifier: Apache-2.0
import Statistics

struct RecorderCounters {
    var octets: Int64 = 0
    var dropped: Int64 = 0
    var incidents: Int64 = 0
    var passedOver: Int64 = 0
    var failures: Int64 = 0
    var diskOctets: Int64 = 0

    static let statistics: [Statistic<Self>] = [
        .counter("octets", \.octets, .octets, "Octets that were recorded, in memory."),
        .counter("dropped", \.dropped, "records", "Records that were too long to be recorded.", .fault),
        .counter("incidents", \.incidents, "incidents", "Incidents that were kept since the start.", .page),
        .counter(
            "passedOver", \.passedOver, "incidents",
            "Causes that made no incident: one had just, or the disk had its share."),
        .counter("failures", \.failures, "incidents", "Incidents that could not be kept.", [.fault, .page]),
        .gauge("diskOctets", \.diskOctets, .octets, "Octets of the incidents on the disk."),
    ]
}
