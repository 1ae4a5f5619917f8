// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What this process has of the machine.
public struct ProcessUsage: CustomStringConvertible {
    /// Octets of private memory that no file backs, in KiB.
    public let anonymous: Int
    public let descriptors: Int
    public let threads: Int

    public init() throws {
        anonymous = try Self.number("Anonymous:", in: "/proc/self/smaps_rollup")
        threads = try Self.number("Threads:", in: "/proc/self/status")
        // One of them is that of the folder itself.
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1
    }

    private static func number(_ name: String, in path: String) throws -> Int {
        // Such files have no size to tell.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }  // only read
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    public var description: String { "\(anonymous) KiB, \(descriptors) descriptors, \(threads) threads" }
}
