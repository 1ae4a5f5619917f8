// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Of memory, by this process.
func octetsInUse() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(words.count > 1 ? Int(words[1]) : nil) * 4_096
}

/// Open, of this process.
func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
