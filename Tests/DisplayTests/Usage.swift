// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Of memory, by this process.
func octetsInUse() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(words.count > 1 ? Int(words[1]) : nil) * 4_096
}

/// The octets by which this process grew in that of five rounds in which it grew least: a leak is in each, what other
/// tests take meanwhile is not.
func leastGrowth(_ round: (Int) throws -> Void) throws -> Int {
    let growths = try (0..<5).map { number in
        let before = try octetsInUse()
        try round(number)
        return try octetsInUse() - before
    }
    return try #require(growths.min())
}

/// Open, of this process.
func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
