// SPDX-License-Identifier: Apache-2.0
import Codecs
import Statistics

/// The statistics of the decoders: how often devices were asked for, and the usable decoders of each codec.
struct DecoderFigures: Sendable {
    struct OfCodec: Sendable {
        var isInSoftware: Bool
        /// The number of devices that decode the codec.
        var devices: Int
        /// The number of sessions that these devices decode now.
        var inUse: Int
        /// The number of sessions that these devices decode at once; nil if the limit of one of them is unknown.
        var instances: Int?
        /// The largest limits among these devices, in pixels and pictures per second; nil if no device reports one.
        var width: Int?
        var height: Int?
        var picturesPerSecond: Int?
        var profiles: [String]
    }

    let counts: DecoderPool.Counts
    let lastRefusal: String?
    /// The codecs that this box can decode.
    private var codecs: [VideoCoding: OfCodec] = [:]

    init(_ budget: DecoderBudget, _ counts: DecoderPool.Counts, lastRefusal: DecoderRefusal?) {
        self.counts = counts
        self.lastRefusal = lastRefusal?.description
        for coding in VideoCoding.allCases {
            let usable = budget.capabilities.filter { $0.stream.coding == coding && $0.device.kind.isUsed }
            let isInSoftware = budget.inventory.software.contains(coding)
            guard isInSoftware || !usable.isEmpty else { continue }
            let instances = usable.map(\.instances)
            codecs[coding] = OfCodec(
                isInSoftware: isInSoftware, devices: usable.count,
                inUse: usable.map { budget.count(of: $0.device.path, coding) }.reduce(0, +),
                instances: instances.contains(nil) ? nil : instances.compactMap { $0 }.reduce(0, +),
                width: usable.compactMap { $0.stream.sizes?.width.upperBound }.max(),
                height: usable.compactMap { $0.stream.sizes?.height.upperBound }.max(),
                picturesPerSecond: usable.compactMap(\.mostPicturesPerSecond).max(),
                profiles: usable.first?.stream.profiles ?? [])
        }
    }

    static let statistics: [Statistic<Self>] = ofAll + VideoCoding.allCases.flatMap { ofCodec($0) }

    private static let ofAll: [Statistic<Self>] = [
        .gauge("inUse", \.counts.inUse, "sessions", "Sessions that decode by a device."),
        .counter("admitted", \.counts.admitted, "sessions", "Sessions that were given a device."),
        .counter("refused", \.counts.refused, "sessions", "Sessions that were given no device."),
        .text("lastRefusal", \.lastRefusal, "Why the last of them was given none."),
    ]

    private static func ofCodec(_ coding: VideoCoding) -> [Statistic<Self>] {
        /// A statistic about devices. It is absent if no device decodes the codec, and null if the devices do not
        /// report it.
        func ofDevices(
            _ name: String, _ member: String, _ unit: StatisticUnit, _ help: String,
            _ read: @escaping @Sendable (OfCodec) -> StatisticValue?
        ) -> Statistic<Self> {
            Statistic(name, .gauge, unit, help) { figures in
                guard let codec = figures.codecs[coding], codec.devices > 0 else { return nil }
                return read(codec) ?? .unknown
            }.labelled("codec", coding.rawValue, at: coding.rawValue, member)
        }
        @Sendable func number(_ value: Int?) -> StatisticValue? { value.map { .integer(Int64($0)) } }
        return [
            Statistic("codecInSoftware", .gauge, .none, "Whether the processor decodes it.") { figures in
                figures.codecs[coding].map { .flag($0.isInSoftware) }
            }.labelled("codec", coding.rawValue, at: coding.rawValue, "software"),
            Statistic("codecDevices", .gauge, "devices", "Devices that decode it.") { figures in
                figures.codecs[coding].map { .integer(Int64($0.devices)) }
            }.labelled("codec", coding.rawValue, at: coding.rawValue, "devices"),
            ofDevices("codecInUse", "inUse", "sessions", "Sessions that decode it by a device.") { number($0.inUse) },
            ofDevices("codecInstances", "instances", "sessions", "Sessions that devices take at once.") {
                number($0.instances)
            },
            ofDevices("codecWidth", "width", "pixels", "Width that a device takes at most.") { number($0.width) },
            ofDevices("codecHeight", "height", "pixels", "Height that a device takes at most.") { number($0.height) },
            ofDevices(
                "codecPicturesPerSecond", "picturesPerSecond", .none, "Pictures a second that a device takes at most."
            ) { number($0.picturesPerSecond) },
            Statistic("codecProfiles", .text, .none, "Profiles that a device takes.") { figures in
                guard let codec = figures.codecs[coding], codec.devices > 0 else { return nil }
                return codec.profiles.isEmpty ? .unknown : .texts(codec.profiles)
            }.labelled("codec", coding.rawValue, at: coding.rawValue, "profiles"),
        ]
    }
}
