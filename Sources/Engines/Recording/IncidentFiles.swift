// SPDX-License-Identifier: Apache-2.0
import System

/// Where incidents are kept: a directory, or in tests a disk that fails.
public protocol IncidentFiles: Sendable {
    /// Names and sizes.
    func list() throws(SystemCallError) -> [(name: String, octets: Int)]
    /// Replaces a file, so that a power cut leaves all of it or nothing.
    func write(_ name: String, _ octets: [UInt8]) throws(SystemCallError)
    /// nil if there is no such file.
    func read(_ name: String) throws(SystemCallError) -> [UInt8]?
    func remove(_ name: String) throws(SystemCallError)
}

/// A directory of the disk. It need not exist.
public struct IncidentDirectory: IncidentFiles {
    private let path: String

    public init(_ path: String) { self.path = path }

    public func list() throws(SystemCallError) -> [(name: String, octets: Int)] {
        try DurableFile.abandonAll(in: path)
        var files: [(name: String, octets: Int)] = []
        for name in try DurableFile.names(in: path) {
            guard let octets = try DurableFile.octets(of: "\(path)/\(name)") else { continue }
            files.append((name, octets))
        }
        return files
    }

    public func write(_ name: String, _ octets: [UInt8]) throws(SystemCallError) {
        try DurableFile.makeDirectory(path)
        do throws(SystemCallError) {
            try DurableFile.write(octets, to: "\(path)/\(name)", mode: 0o600)
        } catch {
            // What was written of it would be in the way on a full disk.
            DurableFile.abandon("\(path)/\(name)")
            throw error
        }
    }

    public func read(_ name: String) throws(SystemCallError) -> [UInt8]? {
        try DurableFile.read("\(path)/\(name)", limit: Bundle.mostOctets)
    }

    public func remove(_ name: String) throws(SystemCallError) { try DurableFile.delete("\(path)/\(name)") }
}
