// SPDX-License-Identifier: Apache-2.0
import JSON
import Time
import Venue

/// What a relay does: which flows go where, and how they are impaired.
public struct RelayPlan: Equatable, Sendable {
    public struct Flow: Equatable, Sendable {
        public var from: FlowEndpoint
        public var to: FlowEndpoint
        /// 0, or 1 for the second path of ST 2022-7.
        public var path: Int
    }

    public var flows: [Flow] = []
    public var conditions = ImpairmentConditions()
    public var seed: UInt64 = 1
    /// Interface on which datagrams are received; empty: the route decides.
    public var interface = ""
    /// Interface by which datagrams are sent; nil for the same.
    public var outInterface: String?
    public var hops = 16
    /// Path of a file, or "-" for standard output; nil for no ledger.
    public var ledger: String?
    /// How long the relay runs; nil until a signal ends it.
    public var duration: Nanoseconds?

    public init() {}

    public func makeImpairment() -> Impairment {
        Impairment(conditions, seed: seed, paths: flows.map(\.path), isRecording: ledger != nil)
    }

    /// The line with a flow's totals at the end of the ledger.
    /// - Parameters:
    ///   - kernelDrops: datagrams that the kernel dropped before the relay read them.
    ///   - refused: datagrams that the kernel refused to send.
    public func total(_ flow: Int, _ ledger: RelayLedger, kernelDrops: Int64, refused: Int64) -> [UInt8] {
        var json = ledger.json
        json["event"] = "total"
        json["flow"] = .integer(Int64(flow))
        json["from"] = .string(flows[flow].from.text)
        json["to"] = .string(flows[flow].to.text)
        json["path"] = .integer(Int64(flows[flow].path))
        json["kernelDrops"] = .integer(kernelDrops)
        json["refused"] = .integer(refused)
        return json.octets() + [UInt8(ascii: "\n")]
    }
}

extension RelayRecord {
    /// The record's line in the ledger.
    public var line: [UInt8] { json.octets() + [UInt8(ascii: "\n")] }
}

extension FlowEndpoint {
    /// `239.1.1.1:5004`, `[ff15::1]:5004`.
    public var text: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
