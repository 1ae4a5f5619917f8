// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports
import Time

extension Corpus {
    private static let boot = "0000000a-0123456789abcdef"

    /// Batches of box-1, one with lines that are no reports of it.
    var reportBatches: [[UInt8]] {
        func report(_ sequence: UInt64, _ box: String = "box-1") -> [UInt8] {
            Report(
                box: box, boot: Self.boot, sequence: sequence, kind: sequence == 2 ? .event : .state,
                monotonicMs: 12_345, wall: WallTime(nanoseconds: 1_795_262_400_000_000_000), coversMs: 10_000,
                members: [
                    "tags": ["vip"], "service": ["state": "up", "reasons": [], "isInVenue": true],
                    "wifi": [["interface": "wlan0", "signalDbm": -61]],
                    "statistics": ["stage": [["labels": [:], "values": ["frames": [10, 2]]]]],
                ]
            ).octets
        }
        return [
            ReportBatch.octets(of: [report(1), report(2)]),
            ReportBatch.octets(of: [report(1), report(2, "box-2"), Array("{}".utf8), report(1)]),
            ReportBatch.octets(of: [venueReport]),
        ]
    }

    /// As a venue's reporter makes it.
    private var venueReport: [UInt8] {
        let time = WallTime(nanoseconds: 1_795_262_400_000_000_000)
        var report = VenueReport()
        report.boxes = [VenueBox("bar-1", heard: time, state: ["service": ["state": "up", "reasons": ["x"]]])]
        report.minutes = [VenueSum(timeMs: 1_795_262_400_000, bssid: "02:00:00:00:00:01", channel: 36)]
        report.hours = report.minutes
        var overview = VenueReport.Overview()
        overview.states = [.init("up", 1)]
        overview.alerts = [["text": "down"]]
        report.overview = overview
        return Report(
            box: "box-1", boot: Self.boot, sequence: 3, kind: .venue, monotonicMs: 12_345, wall: time, coversMs: 1,
            members: report.members
        ).octets
    }

    var reportAnswers: [[UInt8]] {
        [
            ReportAnswer(
                boot: Self.boot, acknowledged: RangeSet([1..<6, 7..<10]),
                refused: [ReportRefusal(6, "/kind: expected one of state, event, venue")], credit: 20
            ).octets
        ]
    }

    /// Answers of a reporter as HTTP carries them.
    var answers: [[UInt8]] {
        [
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd",
            "HTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        ].map { Array($0.utf8) }
    }

    var alerts: [[UInt8]] {
        var alert = Alert()
        (alert.id, alert.rule, alert.kind, alert.box) = ("019ac1-1", "far", .signal, "box-1")
        (alert.measured, alert.limit, alert.unit) = (.number(-81), .number(-75), "dBm")
        alert.text = "box-1 hears its access point badly"
        let open = alert.octets
        (alert.box, alert.measured, alert.limit, alert.unit) = (nil, .word("down"), .word("up"), nil)
        alert.until = WallTime(nanoseconds: 1_795_262_400_000_000_000)
        return [open, alert.octets]
    }

    /// Of a box with a token, and of one without.
    var enrolmentRequests: [[UInt8]] {
        var request = EnrolmentRequest()
        (request.box, request.name, request.version) = ("box-1", "Bar", "1.0")
        request.publicKey = "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
        request.nonce = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let plain = request.octets
        request.token = "tl-AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
        return [plain, request.octets]
    }

    var enrolmentAnswers: [[UInt8]] {
        [
            #"{"nonce":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","lastsS":120}"#,
            #"{"box":"box-1","credential":"tl-AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}"#,
            #"{"state":"pending","box":"box-1","enrolment":"9f00","why":"it has no token"}"#,
        ].map { Array($0.utf8) }
    }
}
