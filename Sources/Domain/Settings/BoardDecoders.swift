// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// What a board declares about its decoders in `board/<board>/decoders.json`, which is sealed into the image. No
/// setting changes it (SVM-23).
public struct BoardDecoders: Equatable, Sendable {
    public struct Device: Equatable, Sendable {
        public let driver: String
        public let instances: Int?
        public let pixelsPerSecond: Int?
        /// nil if the device takes everything that its driver lists.
        public let streams: [Stream]?
        /// The device is used only if this licence is on the box; nil if it needs none.
        public let licence: Licence?
    }

    /// The file of a licence, and how the right one is told.
    public struct Licence: Equatable, Sendable {
        public let file: String
        /// In hexadecimal digits, lower case.
        public let sha256: String
    }

    public struct Stream: Equatable, Sendable {
        /// One of `codecs`.
        public let codec: String
        public let profiles: [String]?
        public let width: Int?
        public let height: Int?
        public let picturesPerSecond: Int?
        public let instances: Int?
    }

    public static let codecs = ["h264", "hevc", "mpeg2Video", "vp8", "vp9", "fwht"]

    /// The machines that the file describes, by the names in their firmware.
    public let compatible: [String]
    public let devices: [Device]

    /// - Throws: `SettingsError` with the field, value and expectation of each problem.
    public init(parsing text: [UInt8]) throws(SettingsError) {
        let document = try Settings.document(parsing: text)
        let effective = try Self.root.effective(document) { Self.check($0, into: &$1) }
        let reader = SettingsReader(effective)
        compatible = reader.texts("compatible")
        devices = reader.groups("devices").map { device in
            Device(
                driver: device.text("driver"), instances: device.optionalInteger("instances"),
                pixelsPerSecond: device.optionalInteger("pixelsPerSecond"),
                streams: device.has("streams") ? device.groups("streams").map(Self.stream) : nil,
                licence: device.optionalGroup("licence").map {
                    Licence(file: $0.text("file"), sha256: $0.text("sha256"))
                })
        }
    }

    private static func stream(_ stream: SettingsReader) -> Stream {
        Stream(
            codec: stream.text("codec"), profiles: stream.has("profiles") ? stream.texts("profiles") : nil,
            width: stream.optionalInteger("width"), height: stream.optionalInteger("height"),
            picturesPerSecond: stream.optionalInteger("picturesPerSecond"),
            instances: stream.optionalInteger("instances"))
    }

    private static func check(_ document: SettingsReader, into problems: inout [Problem]) {
        var drivers: Set<String> = []
        for (place, device) in document.groups("devices").enumerated() {
            if !drivers.insert(device.text("driver")).inserted {
                problems.append(
                    Problem(
                        path: "/devices/\(place)/driver", value: .string(device.text("driver")),
                        expectation: "a driver that no other device names"))
            }
            if let licence = device.optionalGroup("licence") {
                let (file, digest) = (licence.text("file"), licence.text("sha256"))
                if file.utf8.first != UInt8(ascii: "/") {
                    problems.append(
                        Problem(
                            path: "/devices/\(place)/licence/file", value: .string(file),
                            expectation: "an absolute path"))
                }
                if !digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) {
                    problems.append(
                        Problem(
                            path: "/devices/\(place)/licence/sha256", value: .string(digest),
                            expectation: "64 hexadecimal digits in lower case"))
                }
            }
            var codecs: Set<String> = []
            for (number, stream) in (device.has("streams") ? device.groups("streams") : []).enumerated()
            where !codecs.insert(stream.text("codec")).inserted {
                problems.append(
                    Problem(
                        path: "/devices/\(place)/streams/\(number)/codec", value: .string(stream.text("codec")),
                        expectation: "a codec that no other stream of the device has"))
            }
        }
    }

    /// JSON Schema 2020-12: `config/decoders.schema.json`.
    public static var jsonSchema: JSONValue {
        root.jsonSchema(
            id: "urn:touchline:decoders:1", title: "Touchline decoders of a board, version 1",
            description:
                "What a board's decoders can do where their drivers say more, or nothing. It narrows what they say.")
    }

    // It is built at each use, which is rare: the leak sanitizer does not see what a constant's indirect cases hold.
    private static var root: ValueKind {
        .record([
            FieldDescription("version", .integer(1...1), .defaulted(1), "Version of the document's form."),
            FieldDescription(
                "compatible", .list(of: .text(1...128), 1...16), .required,
                "Machines that this is about: of the device tree's compatible or, without one, DMI's product name."),
            FieldDescription(
                "devices", .list(of: .record(device), 0...16), .required,
                "Decoders; of others the driver's word counts."
            ),
        ])
    }

    private static var device: [FieldDescription] {
        [
            FieldDescription(
                "driver", .text(1...16), .required, "As touchline decoders calls it: of each of its devices."),
            FieldDescription(
                "instances", .integer(0...64), .optional, "Sessions at a time; 0: the device is not used."),
            FieldDescription(
                "pixelsPerSecond", .integer(1...100_000_000_000), .optional,
                "Width by height by rate of all sessions together."),
            FieldDescription(
                "streams", .list(of: .record(stream), 0...16), .optional,
                "All that it takes; absent: as its driver says."),
            FieldDescription(
                "licence",
                .record([
                    FieldDescription("file", .text(1...256), .required, "Absolute path on the box."),
                    FieldDescription(
                        "sha256", .text(64...64), .required, "Of the file, hexadecimal digits in lower case."),
                ]), .optional, "Without this file, as it is meant to be, the device is not used; absent: it needs none."
            ),
        ]
    }

    private static var stream: [FieldDescription] {
        [
            FieldDescription("codec", .choice(codecs), .required, "What it is coded with."),
            FieldDescription(
                "profiles", .list(of: .text(1...32), 1...32), .optional,
                "In the driver's words, whatever their case and spaces; absent: as the driver says."),
            FieldDescription(
                "width", .integer(1...65_535), .optional, "Of the largest picture as it is coded, pixels."),
            FieldDescription("height", .integer(1...65_535), .optional, "Likewise."),
            FieldDescription("picturesPerSecond", .integer(1...1_000), .optional, "Of one session."),
            FieldDescription("instances", .integer(0...64), .optional, "Sessions at a time; 0: it is not used."),
        ]
    }
}
