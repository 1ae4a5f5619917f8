// SPDX-License-Identifier: Apache-2.0
import SignedEnvelopes
import System
import Time
import Venue

/// The last sequence of the group commands of a key, in a file beside the key's. A sequence is the Unix time in seconds, or
/// one more than the last: it grows also where the file was lost, and a box that never had one takes it, because it is less
/// than 2³² above 0 until 2106.
struct SequenceFile {
    private let path: String

    /// - Parameter key: path of the file of the private key.
    init(besideKey key: String) { path = key + ".sequence" }

    /// Takes the next sequence. It is on the disk before it is returned.
    /// - Throws: `.busy` if another process takes one.
    func next(at now: WallTime) throws(Status) -> Int64 {
        do {
            let lock = try FileLock(path + ".lock")
            defer { withExtendedLifetime(lock) {} }
            let last = try read()
            let sequence = max(last + 1, now.nanoseconds / 1_000_000_000)
            guard SignedCommand.sequences.contains(sequence) else {
                throw Status.failure(.failed, "\(path): the sequences are used up; expected a new key")
            }
            try DurableFile.write(Array("\(sequence)\n".utf8), to: path, mode: 0o600)
            return sequence
        } catch let error as SystemCallError where error.code == .wouldBlock {
            throw .failure(.busy, "\(path): another command is being signed with this key; try again")
        } catch let status as Status {
            throw status
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    private func read() throws -> Int64 {
        guard let octets = try DurableFile.read(path, limit: 64) else { return 0 }
        let digits = octets.last == 0x0a ? octets.dropLast() : octets[...]
        let text = String(decoding: digits, as: UTF8.self)
        guard let last = Int64(text), (0...SignedCommand.sequences.upperBound).contains(last) else {
            throw Status.failure(.failed, "\(path) holds \"\(text)\"; expected the last sequence")
        }
        return last
    }
}
