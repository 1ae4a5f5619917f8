// SPDX-License-Identifier: Apache-2.0
import JSON
import Radio

extension RadioTotals {
    /// As reports have it; losses of beacons and roams are those of clients.
    public func json(of mode: RadioInterface.Mode?) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for counter in RadioCounter.allCases where counter != .beaconLosses || mode != .accessPoint {
            members[counter.rawValue] = JSONValue(known: self[counter])
        }
        if mode != .accessPoint { members["roams"] = JSONValue(known: roams) }
        members["connects"] = JSONValue(known: connects)
        members["disconnects"] = JSONValue(known: disconnects)
        members["counterResets"] = JSONValue(known: counterResets)
        return .object(members)
    }
}
