// SPDX-License-Identifier: Apache-2.0

/// Lines of `NAME=value`, as networkd's state files, timedatectl and wpa_cli write them. What is no such line is passed
/// over; of two lines with one name the first counts.
public struct KeyValueText: Equatable, Sendable {
    public static let mostLines = 512

    private let values: [String: String]

    public init(_ octets: some Sequence<UInt8>) {
        var values: [String: String] = [:]
        for line in Array(octets).split(separator: 0x0a, maxSplits: Self.mostLines).prefix(Self.mostLines) {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else { continue }
            let name = String(decoding: line[..<equals], as: UTF8.self)
            if values[name] == nil { values[name] = String(decoding: line[(equals + 1)...], as: UTF8.self) }
        }
        self.values = values
    }

    /// nil if there is no such line, or nothing behind its `=`.
    public subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The words of a line, separated by spaces.
    public func words(_ name: String) -> [String] {
        (values[name] ?? "").split(separator: " ").map { String($0) }
    }
}
