// SPDX-License-Identifier: Apache-2.0
import JSON
import Radio

extension RadioState {
    /// The interface as `config/REPORTS.md` has it: what is not known is null, what does not apply is absent.
    public func json(deltas: RadioTotals) -> JSONValue {
        var members: [String: JSONValue] = [
            "interface": .string(name), "mode": Self.name(of: interface.mode),
            "address": JSONValue(known: interface.address?.description),
            "regulatory": JSONValue(known: regulatoryDomain?.alpha2), "noiseDbm": JSONValue(known: noise),
            "busyPPM": JSONValue(known: busyPPM), "totals": totals.json(of: interface.mode),
            "deltas": deltas.json(of: interface.mode),
        ]
        let isClient = interface.mode == .station || interface.mode == nil
        let isAccessPoint = interface.mode == .accessPoint
        if isAssociated || isAccessPoint || channel != nil { add(channel: channel, to: &members) }
        if isAssociated || isAccessPoint { members["ssid"] = JSONValue(known: ssid) }
        if isClient { members["linkIndicator"] = JSONValue(known: linkScore) }
        if isAssociated { addAssociation(to: &members) }
        if isAccessPoint { members["stations"] = .array(stations.map(\.json)) }
        if let lastDisconnect {
            members["lastDisconnect"] = [
                "reason": JSONValue(known: lastDisconnect.reason.map { Int($0.rawValue) }),
                "meaning": JSONValue(known: lastDisconnect.reason?.meaning),
                "by": JSONValue(known: lastDisconnect.by.map { $0 == .station ? "station" : "accessPoint" }),
                "monotonicMs": .integer(lastDisconnect.time.nanoseconds / 1_000_000),
            ]
        }
        return .object(members)
    }

    private func addAssociation(to members: inout [String: JSONValue]) {
        members["bssid"] = JSONValue(known: bssid?.description)
        members["accessPoint"] = JSONValue(known: accessPoint)
        members["signalDbm"] = JSONValue(known: figures?.signal)
        members["signalAverageDbm"] = JSONValue(known: figures?.averageSignal)
        members["chainSignalsDbm"] = JSONValue(known: figures?.chainSignals)
        members["beaconSignalDbm"] = JSONValue(known: figures?.averageBeaconSignal)
        members["receiveRate"] = figures?.receiveRate?.json ?? .null
        members["transmitRate"] = figures?.transmitRate?.json ?? .null
        members["expectedKbps"] = JSONValue(known: figures?.expectedThroughput)
        members["connectedS"] = JSONValue(known: figures?.connected?.components.seconds)
        members["inactiveMs"] = JSONValue(known: figures?.inactive?.milliseconds)
    }

    private static func name(of mode: RadioInterface.Mode?) -> JSONValue {
        switch mode {
        case .station: "station"
        case .accessPoint: "accessPoint"
        case .other: "other"
        case nil: .null
        }
    }
}

private func add(channel: RadioChannel?, to members: inout [String: JSONValue]) {
    members["frequencyMHz"] = JSONValue(known: channel?.controlFrequency)
    members["channel"] = JSONValue(known: channel?.number)
    members["band"] = JSONValue(known: channel?.band?.text)
    members["widthMHz"] = JSONValue(known: channel?.width)
}
