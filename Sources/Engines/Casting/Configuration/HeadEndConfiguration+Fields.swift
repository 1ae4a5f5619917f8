// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON
import Settings
import Shapes

extension HeadEndConfiguration {
    /// The fields of the document, version 1.
    public static let fields: [FieldDescription] = [
        FieldDescription("version", .integer(1...1), .defaulted(1), "Version of the document's form."),
        FieldDescription(
            "streamer",
            .record([
                FieldDescription("id", .text(1...64), .required, "Names this head-end for ever: A-Z a-z 0-9 . _ -"),
                FieldDescription("name", .text(0...128), .defaulted(""), "What people call it."),
            ]), .required, "The head-end itself."),
        FieldDescription(
            "license",
            .record([
                FieldDescription("venueName", .text(1...256), .required, "Venue."),
                FieldDescription("contentOwner", .text(1...256), .required, "Owner of the content."),
                FieldDescription("appDeveloper", .text(1...256), .required, "Developer of the application."),
            ]), .required, "Field of use of all channels: boxes with another do not list them."),
        .group(
            "network", "How everything is sent.",
            [
                FieldDescription(
                    "interface", .formatted(.interface), .defaulted(""), "Interface; \"\": the route's choice."),
                FieldDescription("hops", .integer(1...255), .defaulted(16), "TTL of multicast."),
            ]),
        .group(
            "announcements", "How channels are found.",
            [
                FieldDescription(
                    "groups",
                    .list(
                        of: .record([
                            FieldDescription("address", .formatted(.address), .required, "Numeric group."),
                            FieldDescription("port", .integer(1...65_535), .defaulted(9_875), "UDP port."),
                        ]), 0...16),
                    .defaulted([["address": "239.255.255.255"]]), "Where SAP is sent; [] announces nothing."),
                FieldDescription(
                    "intervalMs", .integer(100...600_000), .defaulted(5_000),
                    "From one announcement of a channel to the next."),
            ]),
        FieldDescription("channels", .list(of: .record(channelFields), 1...256), .required, "What is sent."),
    ]

    private static let channelFields: [FieldDescription] = [
        FieldDescription("number", .integer(0...9_007_199_254_740_991), .required, "Session number; no other has it."),
        FieldDescription("name", .text(1...128), .required, "Channel name."),
        FieldDescription("title", .text(0...128), .defaulted(""), "Title of the session."),
        FieldDescription("text", .text(0...4_096), .defaulted(""), "Description for the guide."),
        FieldDescription("address", .formatted(.address), .required, "Multicast group or a box's address."),
        FieldDescription("port", .integer(1...65_535), .defaulted(5_004), "UDP port."),
        FieldDescription("source", .formatted(.address), .optional, "Own address, for source-specific joins."),
        FieldDescription("encapsulation", .choice(["rtp", "raw"]), .defaulted("rtp"), "RTP, or bare packets in UDP."),
        FieldDescription(
            "payloadType", .integer(0...127), .optional, "RTP payload type; absent: 33, and 96 for data, 96...127."),
        FieldDescription(
            "playoutDelayMs", .integer(0...30_000), .optional,
            "Play-out delay of all boxes; absent: what repair and second path need, else the boxes' own."),
        FieldDescription(
            "repair", .record(repairFields), .optional, "How boxes make packets again that were lost; rtp only."),
        FieldDescription(
            "secondPath", .record(secondPathFields), .optional,
            "The same packets once more, by another group, port or interface (SMPTE ST 2022-7); rtp only."),
        FieldDescription(
            "plain", .record(plainFields), .optional,
            "The channel as any player plays it, beside repair by windows; SDP then describes this one."),
        FieldDescription(
            "via", .formatted(.address), .optional,
            "Group that all of address is sent to instead, for a relay that sends it on."),
        FieldDescription(
            "kind", .choice(["testCard", "file", "data"]), .defaulted("testCard"),
            "Where pictures come from; data: messages instead."),
        FieldDescription(
            "file", .formatted(.path), .defaulted(""), "file: H.264 and AAC in MP4, Matroska or TS; looped."),
        FieldDescription("width", .integer(320...4_096), .defaulted(1_280), "testCard: pixels, even."),
        FieldDescription("height", .integer(180...2_160), .defaulted(720), "testCard: pixels, even."),
        FieldDescription("rate", .choice(rates.map(\.name)), .defaulted("25"), "testCard: pictures a second."),
        FieldDescription("gop", .integer(1...600), .defaulted(25), "testCard: pictures between places to join."),
        FieldDescription("bFrames", .integer(0...4), .defaulted(0), "testCard: B pictures; 0 has the least delay."),
        FieldDescription(
            "bitrateKbps", .integer(64...100_000), .defaulted(2_500), "testCard: of the pictures; data: the most."),
        FieldDescription(
            "contentType", .text(3...127), .defaulted("text/plain"), "data: media type of messages that say none."),
        FieldDescription(
            "messages", .list(of: .text(1...4_096), 0...1_000), .defaulted([]),
            "data: texts, sent one after the other and again; {clock} is the time of day, UTC, {count} a number."),
        FieldDescription("everyMs", .integer(10...3_600_000), .defaulted(1_000), "data: from one message to the next."),
        FieldDescription(
            "preset", .choice(VideoEncoder.Settings.Preset.allCases.map(\.rawValue)), .defaulted("veryfast"),
            "testCard: of libx264."),
    ]

    static let rates: [(name: String, numerator: Int, denominator: Int)] = [
        ("24", 24, 1), ("25", 25, 1), ("30", 30, 1), ("50", 50, 1), ("60", 60, 1), ("24000/1001", 24_000, 1_001),
        ("30000/1001", 30_000, 1_001), ("60000/1001", 60_000, 1_001),
    ]
}
