// SPDX-License-Identifier: Apache-2.0
import Shapes

/// One codec of one decoder.
struct DecoderRow: Answer {
    /// The limits of a device; members are nil if they are unknown.
    struct Limits: Sendable {
        let width: Int?
        let height: Int?
        let picturesPerSecond: Int?
        let instances: Int?
        let inUse: Int
    }

    /// The details of a device; members are nil if they are unknown or do not apply.
    struct Device: Sendable {
        let card: String
        let bus: String
        let kind: String
        let interface: String?
        let format: String?
        let smallestWidth: Int?
        let smallestHeight: Int?
        let profiles: [String]?
        let levels: [String]?
        let pictures: [String]
        let pixelsPerSecond: Int?
        let board: String?
    }

    let codec: String
    let decoder: String
    let driver: String
    let use: String
    /// nil for software, whose row has none of these members.
    let limits: Limits?
    /// nil for software, whose row has none of these members.
    let device: Device?

    static let shape = Shape<Self>([
        .value("codec", \.codec, .text, "what the stream is coded with"),
        .value("decoder", \.decoder, .text, "the device, or software"),
        .detail("driver", \.driver, .text, "of the device, or libavcodec"),
        .ofLimits("width", \.width, .optional(.count), "of the largest picture; null: not known"),
        .ofLimits("height", \.height, .optional(.count), "likewise"),
        .ofLimits(
            "picturesPerSecond", \.picturesPerSecond, .optional(.count), title: "rate",
            "most of one session; null: not known"),
        .ofLimits(
            "instances", \.instances, .optional(.count), title: "of",
            "sessions that it has room for; null: not known"),
        .ofLimits("inUse", \.inUse, .count, title: "used", "sessions that it decodes for"),
        .value("use", \.use, .text, "yes; else \"not used\" and why"),
        .ofDevice("card", \.card, .text, "of the device, as its driver calls it"),
        .ofDevice("bus", \.bus, .text, "where the device is"),
        .ofDevice(
            "kind", \.kind, .text,
            "stateful: takes a stream as it is; stateless: its pictures; library: by libavcodec"),
        .ofDevice("interface", \.interface, .optional(.text), "of V4L2: singlePlanar or multiPlanar"),
        .ofDevice("format", \.format, .optional(.text), "of the stream, V4L2's four characters"),
        .ofDevice(
            "smallestWidth", \.smallestWidth, .optional(.count), "of the smallest picture; null: not known"),
        .ofDevice("smallestHeight", \.smallestHeight, .optional(.count), "likewise"),
        .ofDevice(
            "profiles", \.profiles, .optional(.list(of: .text)), "in the driver's words; null: not known"),
        .ofDevice("levels", \.levels, .optional(.list(of: .text)), "in the driver's words; null: not known"),
        .ofDevice("pictures", \.pictures, .list(of: .text), "formats of its pictures, V4L2's four characters"),
        .ofDevice(
            "pixelsPerSecond", \.pixelsPerSecond, .optional(.count),
            "of all sessions of the device; null: not known"),
        .ofDevice("board", \.board, .optional(.text), "file that narrows it; null: none"),
    ])
}

extension Field where Root == DecoderRow {
    fileprivate static func ofLimits<Value: Sendable>(
        _ name: String, _ path: any KeyPath<DecoderRow.Limits, Value> & Sendable, _ codec: Codec<Value>,
        title: String? = nil,
        _ help: String
    ) -> Field {
        computed(name, codec, shownAs: FieldDisplay(title: title), help) { $0.limits.map { $0[keyPath: path] } }
    }

    fileprivate static func ofDevice<Value: Sendable>(
        _ name: String, _ path: any KeyPath<DecoderRow.Device, Value> & Sendable, _ codec: Codec<Value>, _ help: String
    ) -> Field {
        computed(name, codec, shownAs: FieldDisplay(isDetail: true), help) { $0.device.map { $0[keyPath: path] } }
    }
}
