// SPDX-License-Identifier: Apache-2.0
import System

/// The directory of a spool. No other spool uses it at the same time. It is made when it is missing.
///
/// What is written survives the end of the process, but not a loss of power: content is certain after `flush`, a name
/// and its removal after `flushNames`.
public protocol SpoolFiles {
    /// The names of all files, in no order.
    func names() throws(SystemCallError) -> [String]
    /// The content of a file; nil if there is none.
    /// - Parameter limit: octets; a larger file throws.
    func read(_ name: String, limit: Int) throws(SystemCallError) -> [UInt8]?
    /// Makes a file, or empties the one that is there, and writes to it. If this throws, a part may be there.
    func create(_ name: String, with octets: [UInt8]) throws(SystemCallError)
    /// Appends to a file that exists. If this throws, a part may be there.
    func extend(_ name: String, by octets: [UInt8]) throws(SystemCallError)
    func flush(_ name: String) throws(SystemCallError)
    func flushNames() throws(SystemCallError)
    /// Replaces a file so that a loss of power leaves the old content or the new one. If this throws, it has either.
    func replace(_ name: String, with octets: [UInt8]) throws(SystemCallError)
    /// It is no error if there is no such file.
    func remove(_ name: String) throws(SystemCallError)
}
