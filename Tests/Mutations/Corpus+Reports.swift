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
        ]
    }

    var reportAnswers: [[UInt8]] {
        [
            ReportAnswer(
                boot: Self.boot, acknowledged: RangeSet([1..<6, 7..<10]),
                refused: [ReportRefusal(6, "/kind: expected one of state, event")], credit: 20
            ).octets
        ]
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
