// SPDX-License-Identifier: Apache-2.0
import Codecs
import Commands
import ControlClient
import JSON
import Settings
import Statistics
import Testing

@testable import Decoders

@Suite struct DecoderReportTests {
    private static let inventory = DecoderInventory(
        devices: [
            DecoderDevice(
                path: "/dev/video1", driver: "vpu", card: "A card", isMultiPlanar: true,
                streams: [
                    .init(
                        .h264, VideoCoding.h264.stateful, sizes: FrameSizes(width: 48...4_096, height: 32...2_304),
                        profiles: ["Main", "High"], levels: ["4.1"]),
                    .init(.vp9, VideoCoding.vp9.stateful), .init(.hevc, VideoCoding.hevc.stateful),
                ], pictures: [FourCC("NV12")]),
            DecoderDevice(
                path: "/dev/video2", driver: "other", kind: .stateless,
                streams: [.init(.hevc, VideoCoding.hevc.stateless)]),
        ], software: [.h264, .hevc, .vp9])

    private static let limits = DecoderLimits(devices: [
        .init(
            driver: "vpu", pixelsPerSecond: 1_000_000_000,
            streams: [.init(.h264, mostWidth: 1_920, mostPicturesPerSecond: 60, instances: 2), .init(.vp9)])
    ])

    @Test func aRowForEachCodecOfEachDecoder() throws {
        var budget = DecoderBudget(Self.inventory, limits: Self.limits)
        _ = try budget.admit(DecoderNeed(.h264)).get()
        let rows = DecoderReport(budget: budget, board: "board.json").rows.map(\.json)
        let brief = rows.map {
            "\($0["codec"]?.string ?? "") \($0["decoder"]?.string ?? "") \($0["use"]?.string ?? "")"
        }
        #expect(
            brief == [
                "h264 /dev/video1 yes", "h264 software yes", "hevc /dev/video1 not used: board's file",
                "hevc /dev/video2 not used: stateless", "hevc software yes",
                "vp9 /dev/video1 not used: not played",
                "vp9 software not used: not played",
            ])
        let row = try #require(rows.first)
        #expect(row["width"] == 1_920 && row["height"] == 2_304 && row["smallestWidth"] == 48)
        #expect(row["picturesPerSecond"] == 60 && row["instances"] == 2 && row["inUse"] == 1)
        #expect(row["profiles"] == ["Main", "High"] && row["levels"] == ["4.1"] && row["pictures"] == ["NV12"])
        #expect(row["interface"] == "multiPlanar" && row["kind"] == "stateful" && row["format"] == "H264")
        #expect(row["pixelsPerSecond"] == 1_000_000_000 && row["board"] == "board.json" && row["driver"] == "vpu")
        #expect(rows[3]["width"] == .null && rows[3]["profiles"] == .null && rows[3]["instances"] == .null)
    }

    /// PLAY-44: a picture that is too large for the device is one for the processor, and the reason is told.
    @Test func whatWouldDecodeIt() {
        let report = DecoderReport(budget: DecoderBudget(Self.inventory, limits: Self.limits), board: nil)
        func decoder(_ coding: VideoCoding, _ width: Int, _ height: Int) -> String {
            report.decoder(for: DecoderNeed(coding, size: DecoderNeed.Size(width: width, height: height)))
        }
        for _ in 0..<3 { #expect(decoder(.h264, 1_920, 1_080) == "/dev/video1", "no place is taken") }
        #expect(decoder(.h264, 3_840, 2_160) == "software (hardware: no 3840x2160, takes 48x32 to 1920x2304)")
        #expect(decoder(.hevc, 640, 360) == "software (hardware: no stateful device)")
        #expect(decoder(.mpeg2Video, 640, 360) == "none (hardware: no device)")
    }

    /// Eighty columns have room for what people look for.
    @Test func theTableIsUncut() {
        var inventory = Self.inventory
        inventory.devices[0].path = "/dev/video63"
        let rows = DecoderReport(budget: DecoderBudget(inventory, limits: Self.limits), board: nil).rows.map(\.json)
        let shape = CommandDescription(ListDecoders.self).answer
        let text = AnswerText(isStyled: false).text(of: ["decoders": .array(rows)], as: shape)
        #expect(ListDecoders.Output.kind.problems(of: ["decoders": .array(rows)]).isEmpty)
        #expect(!text.contains("…") && text.contains("/dev/video63") && text.contains("not used: board's file"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func statisticsByCodec() throws {
        let pool = DecoderPool(Self.inventory, limits: Self.limits)
        let places = [pool.place(for: DecoderNeed(.h264)), pool.place(for: DecoderNeed(.h264))]
        guard case .failure(let refusal) = pool.place(for: DecoderNeed(.h264)) else {
            Issue.record("three sessions where there is room for two")
            return
        }
        let group = DecoderFigures.statistics.json(
            of: DecoderFigures(pool.budget, pool.counts, lastRefusal: refusal))
        #expect(group["inUse"] == 2 && group["admitted"] == 2 && group["refused"] == 1 && places.count == 2)
        #expect(group["lastRefusal"] == "hardware: all 2 sessions in use")
        #expect(
            group["h264"] == [
                "software": true, "devices": 1, "inUse": 2, "instances": 2, "width": 1_920, "height": 2_304,
                "picturesPerSecond": 60, "profiles": ["Main", "High"],
            ])
        #expect(group["hevc"] == ["software": true, "devices": 0] && group["mpeg2Video"] == nil)
        #expect(group["vp9"]?["instances"] == .null)
    }
}
