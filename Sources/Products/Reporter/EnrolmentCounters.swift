// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What came of requests to enrol, and of tokens that were shown, since the reporter began.
struct EnrolmentCounters: Sendable, Equatable {
    var requests: UInt64 = 0
    var issued: UInt64 = 0
    var unproven: UInt64 = 0
    var unknownTokens: UInt64 = 0
    var throttled: UInt64 = 0
    var foreignBoxes: UInt64 = 0
    var revokedBoxes: UInt64 = 0
    var clones: UInt64 = 0
    var enrolled: Int = 0
    var pending: Int = 0

    static let statistics: [Statistic<Self>] = [
        .counter("requests", \.requests, "requests", "Requests of boxes to enrol, or for another credential."),
        .counter("issued", \.issued, "credentials", "Credentials that were given to boxes."),
        .counter("unproven", \.unproven, "requests", "Of these requests, those that proved no key.", .fault),
        .counter("unknownTokens", \.unknownTokens, "requests", "Requests with a token that nobody has.", .fault),
        .counter("throttled", \.throttled, "requests", "Of these, those that were told to come later.", .fault),
        .counter("foreignBoxes", \.foreignBoxes, "requests", "Requests of a box in another box's name.", .fault),
        .counter("revokedBoxes", \.revokedBoxes, "requests", "Requests of boxes whose credential was revoked."),
        .counter("clones", \.clones, "signs", "Signs that two boxes call themselves the same.", .fault),
        .gauge("enrolled", \.enrolled, "boxes", "Boxes that are known by a key."),
        .gauge("pending", \.pending, "boxes", "Keys that wait for an approval."),
    ]
}
