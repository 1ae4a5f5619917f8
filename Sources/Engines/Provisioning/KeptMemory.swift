// SPDX-License-Identifier: Apache-2.0

/// What a box remembers for ever, in a file of its own beside the settings, so that a factory reset leaves it.
public protocol KeptMemory: Sendable {
    static var fileName: String { get }
    /// Nothing was had yet.
    init()
    /// - Throws: what is wrong with the file. It is never taken for an empty memory: what was had would count again.
    init(parsing octets: [UInt8]) throws
    /// The text of the file that holds it.
    var octets: [UInt8] { get }
}
