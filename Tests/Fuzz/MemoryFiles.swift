// SPDX-License-Identifier: Apache-2.0
import Forwarding
import System

/// Files in memory, of a disk that never fails.
final class MemoryFiles: SpoolFiles {
    private(set) var contents: [String: [UInt8]]

    init(_ contents: [String: [UInt8]]) { self.contents = contents }

    func names() throws(SystemCallError) -> [String] { Array(contents.keys) }
    func read(_ name: String, limit: Int) throws(SystemCallError) -> [UInt8]? { contents[name] }
    func create(_ name: String, with octets: [UInt8]) throws(SystemCallError) { contents[name] = octets }
    func extend(_ name: String, by octets: [UInt8]) throws(SystemCallError) { contents[name, default: []] += octets }
    func flush(_ name: String) throws(SystemCallError) {}
    func flushNames() throws(SystemCallError) {}
    func replace(_ name: String, with octets: [UInt8]) throws(SystemCallError) { contents[name] = octets }
    func remove(_ name: String) throws(SystemCallError) { contents[name] = nil }
}
