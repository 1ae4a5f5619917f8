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

    /// Under `decoders` of `stats`, by codec: what of it can be used.
    func statistics(_ counts: DecoderDesk.Counts, lastRefusal: DecoderRefusal?) -> JSONValue {
        var group: [String: JSONValue] = [
            "inUse": number(counts.inUse), "admitted": number(counts.admitted), "refused": number(counts.refused),
        ]
        if let lastRefusal { group["lastRefusal"] = .string(lastRefusal.description) }
        for coding in VideoCoding.allCases {
            let usable = budget.capabilities.filter { $0.stream.coding == coding && $0.device.kind.isUsed }
            let isInSoftware = budget.inventory.software.contains(coding)
            guard isInSoftware || !usable.isEmpty else { continue }
            var entry: [String: JSONValue] = ["software": .bool(isInSoftware), "devices": number(usable.count)]
            if !usable.isEmpty {
                entry["inUse"] = number(usable.map { budget.count(of: $0.device.path, coding) }.reduce(0, +))
                let instances = usable.map(\.instances)
                entry["instances"] = instances.contains(nil) ? .null : number(instances.compactMap { $0 }.reduce(0, +))
                entry["width"] = number(usable.compactMap { $0.stream.sizes?.width.upperBound }.max())
                entry["height"] = number(usable.compactMap { $0.stream.sizes?.height.upperBound }.max())
                entry["picturesPerSecond"] = number(usable.compactMap(\.mostPicturesPerSecond).max())
                entry["profiles"] = texts(usable.first?.stream.profiles ?? [])
            }
            group[coding.rawValue] = .object(entry)
        }
        return .object(group)
    }

    private func number(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }

    private func texts(_ texts: [String]) -> JSONValue {
        texts.isEmpty ? .null : .array(texts.map { .string($0) })
    }
}
