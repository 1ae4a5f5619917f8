// SPDX-License-Identifier: Apache-2.0
import System

/// Where a relay writes its ledger, shared by nobody; a class, as an optional of what it holds cannot be borrowed.
final class RelayLedgerFile {
    private let file: AppendedFile

    init(_ path: String) throws(SystemCallError) { file = try AppendedFile(creating: path) }

    func append(_ lines: [UInt8]) throws(SystemCallError) { try file.append(lines) }
}
