// SPDX-License-Identifier: Apache-2.0
import Radio
import Radios
import Statistics

extension RadioState {
    /// As they are named elsewhere (node_exporter's `wifi_station_signal_dbm` and its like).
    static let statistics: [Statistic<RadioState>] = [
        text("ssid", "The network that the radio is in.") { $0.ssid },
        text("bssid", "The access point that the radio is connected to.") { $0.bssid?.description },
        text("accessPoint", "Its name by network.wifiApInfo.") { $0.accessPoint },
        number("linkScore", .gauge, .none, "How good the radio link is: 0 is none, 10 excellent.", [.page]) {
            $0.linkScore.map(Int64.init)
        },
        number("stationSignalDbm", .gauge, .decibelMilliwatts, "Average signal of the access point.", [.page]) {
            $0.signal.map(Int64.init)
        },
        number("noiseDbm", .gauge, .decibelMilliwatts, "Noise on the channel in use.", [.page]) {
            $0.noise.map(Int64.init)
        },
        number("frequencyMHz", .gauge, .megahertz, "Centre of the control channel.", [.page]) {
            $0.channel.map { Int64($0.controlFrequency) }
        },
        number("channel", .gauge, .none, "Number of the control channel.", [.page]) {
            $0.channel?.number.map(Int64.init)
        },
        number("channelBusyPPM", .gauge, .partsPerMillion, "How much of the time the channel is busy.", [.page]) {
            $0.busyPPM.map(Int64.init)
        },
        number("receiveBitsPerSecond", .gauge, .bitsPerSecond, "Rate of the last frame received.", [.page]) {
            rate($0.figures?.receiveRate)
        },
        number("transmitBitsPerSecond", .gauge, .bitsPerSecond, "Rate of the last frame sent.", [.page]) {
            rate($0.figures?.transmitRate)
        },
        number("connectedSeconds", .gauge, .seconds, "How long the radio has been connected.") {
            $0.figures?.connected?.components.seconds
        },
        number("stations", .gauge, "stations", "Clients of an access point.", [.page]) { state in
            state.interface.mode == .accessPoint ? Int64(state.stations.count) : nil
        },
        total(.receivedOctets, .octets, "Octets received since the service started."),
        total(.transmittedOctets, .octets, "Octets sent since the service started."),
        total(.receivedPackets, "packets", "Packets received since the service started."),
        total(.transmittedPackets, "packets", "Packets sent since the service started."),
        total(.transmitRetries, "frames", "Frames that were sent once more.", [.page]),
        total(.transmitFailures, "frames", "Frames that were given up.", [.page, .fault]),
        total(.beaconLosses, "times", "How often the access point's beacons were missed.", [.page, .fault]),
        .counter("roams", \.totals.roams, "times", "How often the radio moved to another access point.", [.page]),
        .counter("connects", \.totals.connects, "times", "How often the radio was connected."),
        .counter("disconnects", \.totals.disconnects, "times", "How often a connection ended.", [.page, .fault]),
        .counter(
            "counterResets", \.totals.counterResets, "times", "How often the driver began a counter anew in between."),
    ]

    private static func rate(_ rate: BitRate?) -> Int64? { rate?.bitsPerSecond.map { Int64(clamping: $0) } }

    private static func text(
        _ name: String, _ help: String, read: @escaping @Sendable (RadioState) -> String?
    ) -> Statistic<RadioState> {
        Statistic(name, .text, .none, help, [.page]) { read($0).map { .text($0) } }
    }

    private static func number(
        _ name: String, _ kind: StatisticDescription.Kind, _ unit: StatisticUnit, _ help: String,
        _ traits: StatisticDescription.Traits = [], read: @escaping @Sendable (RadioState) -> Int64?
    ) -> Statistic<RadioState> {
        Statistic(name, kind, unit, help, traits) { read($0).map { .integer($0) } }
    }

    /// What the driver does not count is absent.
    private static func total(
        _ counter: RadioCounter, _ unit: StatisticUnit, _ help: String, _ traits: StatisticDescription.Traits = []
    ) -> Statistic<RadioState> {
        number(counter.rawValue, .counter, unit, help, traits) { $0.totals[counter].map { Int64(clamping: $0) } }
    }
}

extension AccessPointFigures {
    static let statistics: [Statistic<AccessPointFigures>] = [
        .counter("seconds", \.seconds, .seconds, "How long the box was associated with the access point."),
        .counter("packets", \.packets, "packets", "Packets of the channels that came over it.", [.page]),
        .counter("lostPackets", \.lost, "packets", "Packets that nothing brought, of those.", [.page, .fault]),
        .counter("windows", \.windows, "windows", "Protection windows that came over it."),
        .counter("failedWindows", \.failedWindows, "windows", "Windows that could not be repaired.", [.page, .fault]),
        Statistic("signalDbm", .gauge, .decibelMilliwatts, "Mean of its signal.", [.page]) { figures in
            figures.signal.map { .integer(Int64($0)) }
        },
    ]
}

extension LinkFigures {
    static let statistics: [Statistic<LinkFigures>] = [
        Statistic("hasCarrier", .gauge, .none, "1 if the interface can carry packets.") {
            .integer($0.hasCarrier ? 1 : 0)
        },
        Statistic("speedBitsPerSecond", .gauge, .bitsPerSecond, "Speed of the wire.") { link in
            link.speed.map { .integer(Int64($0) * 1_000_000) }
        },
        .counter("receivedOctets", \.counters.octetsReceived, .octets, "Octets received."),
        .counter("transmittedOctets", \.counters.octetsSent, .octets, "Octets sent."),
        .counter("receivedPackets", \.counters.packetsReceived, "packets", "Packets received."),
        .counter("transmittedPackets", \.counters.packetsSent, "packets", "Packets sent."),
        .counter("receiveErrors", \.counters.receiveErrors, "packets", "Packets that came damaged.", .fault),
        .counter("transmitErrors", \.counters.sendErrors, "packets", "Packets that could not be sent.", .fault),
        .counter("receiveDrops", \.counters.receiveDrops, "packets", "Packets for which there was no room.", .fault),
        .counter("transmitDrops", \.counters.sendDrops, "packets", "Packets that were not sent for want of room."),
        .counter("checksumErrors", \.counters.checksumErrors, "packets", "Packets whose checksum was wrong.", .fault),
    ]
}

extension WiFi.Counters {
    static let statistics: [Statistic<WiFi.Counters>] = [
        .counter("observations", \.observations, "times", "How often the radios and wires were looked at."),
        .counter("events", \.events, "events", "Events of radios that the kernel told."),
        .counter("lostEvents", \.lost, "times", "How often events were lost, because too many came at once."),
        .counter("failures", \.failures, "times", "How often the kernel did not answer.", .fault),
    ]
}
