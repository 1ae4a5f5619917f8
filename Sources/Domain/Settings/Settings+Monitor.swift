// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time
import Venue

extension Settings {
    static let receptionFields: [FieldDescription] = [
        .group(
            "monitor", "Limits of the stream measurements (ETSI TR 101 290) and what counts as an alarm.", monitorFields
        )
    ]

    private static let monitorFields: [FieldDescription] = [
        time("patMs", 10...60_000, usual.pat, "Longest time between two sections of the program association table."),
        time("pmtMs", 10...60_000, usual.pmt, "Longest time between two sections of the program map table."),
        time(
            "pidMs", 100...600_000, usual.pid,
            "Longest time without pictures, sound or clock, or without a CAT where packets are scrambled."),
        time("pcrRepetitionMs", 10...10_000, usual.pcrRepetition, "Longest time between two clock references (PCR)."),
        time(
            "pcrIntervalMs", 10...10_000, usual.pcrInterval,
            "Longest time between two PCRs before it is counted as a long interval, which is no error."),
        time(
            "pcrDiscontinuityMs", 10...10_000, usual.pcrDiscontinuity,
            "Largest difference between the values of two PCRs."),
        FieldDescription(
            "pcrAccuracyNs", .integer(40...1_000_000), .defaulted(.integer(usual.pcrAccuracy.count)),
            "Largest difference between a PCR and the time that a constant bit rate gives; for streams with one."),
        time(
            "ptsMs", 10...60_000, usual.pts,
            "Longest time between two presentation time stamps of pictures, or of sound."),
        FieldDescription(
            "shortWindowSeconds", integers(MonitorLimits.shortWindowRange),
            .defaulted(.integer(Int64(usual.shortWindow))), "Length of the short window, which alarms and rates use."),
        FieldDescription(
            "longWindowSeconds", integers(MonitorLimits.longWindowRange),
            .defaulted(.integer(Int64(usual.longWindow))), "Length of the long window."),
        .group(
            "alarms",
            "Number of faults within the short window that raise an alarm; half as many end it. 0 raises none.",
            StreamIndicator.allCases.map { indicator in
                FieldDescription(
                    indicator.name, .integer(0...1_000_000), .defaulted(.integer(usual.alarms[indicator])),
                    indicator.help)
            }),
    ]

    private static let usual = MonitorLimits()

    private static func time(
        _ name: String, _ range: ClosedRange<Int>, _ usual: Nanoseconds, _ help: String
    ) -> FieldDescription {
        FieldDescription(name, integers(range), .defaulted(.integer(usual.milliseconds)), help)
    }

    private static func integers(_ range: ClosedRange<Int>) -> ValueKind {
        .integer(Int64(range.lowerBound)...Int64(range.upperBound))
    }
}

extension MonitorLimits {
    init(_ group: SettingsReader) {
        self.init()
        pat = group.milliseconds("patMs")
        pmt = group.milliseconds("pmtMs")
        pid = group.milliseconds("pidMs")
        pcrRepetition = group.milliseconds("pcrRepetitionMs")
        pcrInterval = group.milliseconds("pcrIntervalMs")
        pcrDiscontinuity = group.milliseconds("pcrDiscontinuityMs")
        pcrAccuracy = Nanoseconds(Int64(group.integer("pcrAccuracyNs")))
        pts = group.milliseconds("ptsMs")
        shortWindow = group.integer("shortWindowSeconds")
        longWindow = group.integer("longWindowSeconds")
        let alarms = group.group("alarms")
        for indicator in StreamIndicator.allCases { self.alarms[indicator] = Int64(alarms.integer(indicator.name)) }
    }
}

extension StreamIndicator {
    /// A sentence of help for a technician.
    fileprivate var help: String {
        switch self {
        case .syncLoss: "1.1 TS_sync_loss: two wrong sync bytes in a row."
        case .syncByte: "1.2 Sync_byte_error: no packet where one belongs."
        case .pat: "1.3.a PAT_error: late, another table in its place, or scrambled."
        case .continuityCount: "1.4 Continuity_count_error: packets missing or out of order."
        case .pmt: "1.5.a PMT_error: the program's map is late or scrambled."
        case .pid: "1.6 PID_error: pictures, sound or clock are missing."
        case .transport: "2.1 Transport_error: packets that a link before the box marked."
        case .crc: "2.2 CRC_error: tables whose checksum does not hold."
        case .pcrRepetition: "2.3.a PCR_repetition_error."
        case .pcrDiscontinuity: "2.3.b PCR_discontinuity_indicator_error."
        case .pcrAccuracy: "2.4 PCR_accuracy_error; many encoders are not that exact."
        case .pts: "2.5 PTS_error."
        case .cat: "2.6 CAT_error: scrambled packets without a CAT, or another table in its place."
        case .pcrInterval: "PCRs farther apart than pcrIntervalMs, as of many encoders."
        case .lostToNetwork: "Packets that did not arrive and were not repaired."
        case .lostToKernel: "Packets that the kernel dropped because the box was too slow."
        }
    }
}
