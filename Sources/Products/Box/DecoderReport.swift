// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON

/// What decodes on this box, for who asks.
struct DecoderReport {
    let budget: DecoderBudget
    /// File that narrows what drivers say.
    let board: String?

    /// By codec, its devices first.
    var rows: [JSONValue] {
        VideoCoding.allCases.flatMap { coding in
            budget.inventory.devices.flatMap { device in
                device.streams.filter { $0.coding == coding }.map { row(of: device, $0) }
            } + (budget.inventory.software.contains(coding) ? [Self.software(coding)] : [])
        }
    }

    private static func software(_ coding: VideoCoding) -> JSONValue {
        [
            "codec": .string(coding.rawValue), "decoder": "software", "driver": "libavcodec",
            "use": .string(use(of: coding)),
        ]
    }

    private static func use(of coding: VideoCoding) -> String {
        coding.isPlayed ? "yes" : "not used: not played"
    }

    private func row(of device: DecoderDevice, _ stream: DecoderDevice.Stream) -> JSONValue {
        let left = budget.capabilities.first { $0.device.path == device.path && $0.stream.coding == stream.coding }
        let (sizes, shown) = (left?.stream.sizes ?? stream.sizes, left?.stream ?? stream)
        let use =
            !device.kind.isUsed
            ? "not used: stateless" : left == nil ? "not used: board's file" : Self.use(of: stream.coding)
        return [
            "codec": .string(stream.coding.rawValue), "decoder": .string(device.path), "driver": .string(device.driver),
            "width": number(sizes?.width.upperBound), "height": number(sizes?.height.upperBound),
            "picturesPerSecond": number(left?.mostPicturesPerSecond), "instances": number(left?.instances),
            "inUse": number(budget.count(of: device.path, stream.coding)), "use": .string(use),
            "card": .string(device.card), "bus": .string(device.bus), "kind": .string(device.kind.rawValue),
            "interface": device.kind == .library
                ? .null : .string(device.isMultiPlanar ? "multiPlanar" : "singlePlanar"),
            "format": device.kind == .library ? .null : .string(stream.format.description),
            "smallestWidth": number(sizes?.width.lowerBound),
            "smallestHeight": number(sizes?.height.lowerBound), "profiles": texts(shown.profiles),
            "levels": texts(shown.levels), "pictures": .array(device.pictures.map { .string($0.description) }),
            "pixelsPerSecond": number(left?.pixelsPerSecond), "board": board.map { .string($0) } ?? .null,
        ]
    }

    private func number(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }

    private func texts(_ texts: [String]) -> JSONValue {
        texts.isEmpty ? .null : .array(texts.map { .string($0) })
    }
}
