// SPDX-License-Identifier: Apache-2.0
import Codecs

/// Makes the rows of the command `decoders`.
struct DecoderReport {
    let budget: DecoderBudget
    /// The board's file that narrows what drivers report; nil if there is none.
    let board: String?

    /// The rows in the order of codecs. The devices of a codec come before its software decoder.
    var rows: [DecoderRow] {
        VideoCoding.allCases.flatMap { coding in
            budget.inventory.devices.flatMap { device in
                device.streams.filter { $0.coding == coding }.map { row(of: device, $0) }
            } + (budget.inventory.software.contains(coding) ? [Self.software(coding)] : [])
        }
    }

    /// The path of the device that would decode it now, or `software` or `none` and why no device does.
    func decoder(for need: DecoderNeed) -> String {
        var budget = budget  // a copy, in which a place is taken
        switch budget.admit(need) {
        case .success(let admission): return admission.path
        case .failure(let refusal):
            return (budget.inventory.software.contains(need.coding) ? "software" : "none") + " (\(refusal))"
        }
    }

    private static func software(_ coding: VideoCoding) -> DecoderRow {
        DecoderRow(
            codec: coding.rawValue, decoder: "software", driver: "libavcodec", use: use(of: coding), limits: nil,
            device: nil)
    }

    private static func use(of coding: VideoCoding) -> String {
        coding.isPlayed ? "yes" : "not used: not played"
    }

    private func row(of device: DecoderDevice, _ stream: DecoderDevice.Stream) -> DecoderRow {
        let left = budget.capabilities.first { $0.device.path == device.path && $0.stream.coding == stream.coding }
        let (sizes, shown) = (left?.stream.sizes ?? stream.sizes, left?.stream ?? stream)
        let unlicensed = budget.limits.limits(of: device)?.licenceProblem
        let use =
            !device.kind.isUsed
            ? "not used: stateless"
            : left == nil ? "not used: \(unlicensed ?? "board's file")" : Self.use(of: stream.coding)
        let isLibrary = device.kind == .library
        return DecoderRow(
            codec: stream.coding.rawValue, decoder: device.path, driver: device.driver, use: use,
            limits: DecoderRow.Limits(
                width: sizes?.width.upperBound, height: sizes?.height.upperBound,
                picturesPerSecond: left?.mostPicturesPerSecond, instances: left?.instances,
                inUse: budget.count(of: device.path, stream.coding)),
            device: DecoderRow.Device(
                card: device.card, bus: device.bus, kind: device.kind.rawValue,
                interface: isLibrary ? nil : device.isMultiPlanar ? "multiPlanar" : "singlePlanar",
                format: isLibrary ? nil : stream.format.description, smallestWidth: sizes?.width.lowerBound,
                smallestHeight: sizes?.height.lowerBound, profiles: Self.unlessEmpty(shown.profiles),
                levels: Self.unlessEmpty(shown.levels), pictures: device.pictures.map(\.description),
                pixelsPerSecond: left?.pixelsPerSecond, board: board))
    }

    private static func unlessEmpty(_ texts: [String]) -> [String]? { texts.isEmpty ? nil : texts }
}
