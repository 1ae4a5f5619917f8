// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import Time

/// One record of a log of input, with its octets.
public struct RecordedInput: Equatable, Sendable {
    public var kind: InputLog.Kind
    /// Number of the flow within the channel.
    public var part: Int
    public var time: Monotonic
    public var octets: [UInt8]

    public init(_ kind: InputLog.Kind, part: Int = 0, at time: Monotonic, _ octets: [UInt8] = []) {
        (self.kind, self.part, self.time, self.octets) = (kind, part, time, octets)
    }

    /// The records of a log.
    /// - Throws: where the log is cut or damaged.
    public static func read(_ log: [UInt8]) throws(WireError) -> [RecordedInput] {
        var inputs: [RecordedInput] = []
        let failure: WireError? = log.withUnsafeBytes { bytes in
            do throws(WireError) {
                try InputLog.read(bytes) {
                    inputs.append(
                        RecordedInput($0.kind, part: Int($0.port), at: $0.time, Array(bytes[$0.payload])))
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        return inputs
    }
}
