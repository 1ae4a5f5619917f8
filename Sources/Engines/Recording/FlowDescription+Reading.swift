// SPDX-License-Identifier: Apache-2.0
import Bytes
import JSON
import Time
import Venue

extension FlowDescription {
    /// Reads whatever octets there are.
    /// - Throws: what is missing or out of bounds, by its name.
    public init(parsing octets: [UInt8]) throws(RecordingError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue.parse(octets)
        } catch {
            throw RecordingError("description", "\(error)")
        }
        channel = try Self.text("channel", of: json)
        let type = UInt8(try Self.integer("payloadType", of: json, 0...127, else: 33))
        let encapsulation: Transport.Encapsulation
        switch json["encapsulation"]?.string {
        case "rtp": encapsulation = .rtp(payloadType: type)
        case "raw": encapsulation = .raw
        case "automatic": encapsulation = .automatic
        default: throw RecordingError("encapsulation", "expected rtp, raw or automatic")
        }
        transport = Transport(
            address: try Self.text("address", of: json), port: try Self.port(of: json), encapsulation: encapsulation)
        if let repair = json["repair"] { transport.repair = try Self.repair(repair) }
        if let path = json["secondPath"] {
            transport.secondPath = SecondPath(
                endpoint: try Self.endpoint(path),
                skew: .milliseconds(try Self.integer("skewMs", of: path, 0...60_000)))
        }
        bandwidthKbps = Int(try Self.integer("bandwidthKbps", of: json, 0...10_000_000))
        program = try Self.text("program", of: json)
        keepsPayload = json["keepsPayload"]?.bool ?? false
        counters = (json["counters"]?.array ?? []).prefix(Self.mostCounters).compactMap(\.string)
        if let repair = json["found"] {
            found = try Self.repair(repair)
            hold = .milliseconds(try Self.integer("holdMs", of: json, 0...3_600_000))
        }
    }

    private static let mostCounters = 1_024

    private static func repair(_ json: JSONValue) throws(RecordingError) -> Repair {
        let span = Nanoseconds.milliseconds(try integer("spanMs", of: json, 1...3_600_000))
        switch json["scheme"]?.string {
        case "windows":
            guard let generator = json["generator"]?.string.flatMap({ RepairWindows.Generator(rawValue: $0) }) else {
                throw RecordingError("generator", "expected peers or rfc5510")
            }
            let windows = RepairWindows(
                endpoint: try endpoint(json), sourcePackets: Int(try integer("sourcePackets", of: json, 1...254)),
                repairPackets: Int(try integer("repairPackets", of: json, 1...254)),
                depth: Int(try integer("depth", of: json, 1...64)),
                symbolOctets: Int(try integer("symbolOctets", of: json, 15...2_048)), generator: generator,
                span: span)
            guard windows.isSupported, windows.octets <= RepairWindows.mostOctets else {
                throw RecordingError("repair", "windows of this size are not supported")
            }
            return .windows(windows)
        case "parity":
            var parity = RepairParity(columns: nil, rows: nil, span: span)
            if let columns = json["columns"] { parity.columns = try endpoint(columns) }
            if let rows = json["rows"] { parity.rows = try endpoint(rows) }
            parity.isFound = json["isFound"]?.bool ?? false
            return .parity(parity)
        default: throw RecordingError("scheme", "expected windows or parity")
        }
    }

    private static func endpoint(_ json: JSONValue) throws(RecordingError) -> FlowEndpoint {
        FlowEndpoint(address: try text("address", of: json), port: try port(of: json))
    }

    private static func port(of json: JSONValue) throws(RecordingError) -> UInt16 {
        UInt16(try integer("port", of: json, 0...65_535))
    }

    private static func text(_ name: String, of json: JSONValue) throws(RecordingError) -> String {
        guard let text = json[name]?.string else { throw RecordingError(name, "expected a text") }
        return text
    }

    private static func integer(
        _ name: String, of json: JSONValue, _ range: ClosedRange<Int64>, else usual: Int64? = nil
    ) throws(RecordingError) -> Int64 {
        guard let value = json[name]?.integer ?? usual, range.contains(value) else {
            throw RecordingError(name, "expected \(range.lowerBound)...\(range.upperBound)")
        }
        return value
    }
}
