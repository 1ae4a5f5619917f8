// SPDX-License-Identifier: Apache-2.0
import System

/// A directory of the disk.
///
/// Files are opened for each call. One that is kept open goes on taking records after somebody removed the directory.
/// - Thread: any that may wait for the disk.
public struct SpoolDirectory: SpoolFiles, Sendable {
    private let path: String

    /// - Parameter path: need not exist.
    public init(_ path: String) { self.path = path }

    private func place(_ name: String) -> String { "\(path)/\(name)" }

    private func make() throws(SystemCallError) { try DurableFile.makeDirectory(path, mode: 0o700) }

    public func names() throws(SystemCallError) -> [String] { try DurableFile.names(in: path) }

    public func read(_ name: String, limit: Int) throws(SystemCallError) -> [UInt8]? {
        try DurableFile.read(place(name), limit: limit)
    }

    public func create(_ name: String, with octets: [UInt8]) throws(SystemCallError) {
        try make()
        try DurableFile.create(place(name), with: octets)
    }

    public func extend(_ name: String, by octets: [UInt8]) throws(SystemCallError) {
        try DurableFile.extend(place(name), by: octets)
    }

    public func flush(_ name: String) throws(SystemCallError) { try DurableFile.flush(place(name)) }

    public func flushNames() throws(SystemCallError) { try DurableFile.flushDirectory(path) }

    public func replace(_ name: String, with octets: [UInt8]) throws(SystemCallError) {
        try make()
        try DurableFile.write(octets, to: place(name), mode: 0o600)
    }

    public func remove(_ name: String) throws(SystemCallError) { try DurableFile.delete(place(name)) }
}
