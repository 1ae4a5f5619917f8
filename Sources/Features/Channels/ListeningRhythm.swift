// SPDX-License-Identifier: Apache-2.0
import Time

/// How long the listener rests between two reads of a group. As many announcements as all head-ends of a venue send at
/// once are read without a rest. When still more come, it rests after each read, because the control loop has other work,
/// and the kernel drops what its buffer cannot hold.
struct ListeningRhythm {
    /// Reads that were full, one after the other, before the first rest.
    static let fullReads = 32
    static let rest = Nanoseconds.milliseconds(10)

    private var count = 0

    /// - Parameters:
    ///   - count: datagrams that the read found.
    ///   - limit: datagrams that one read can take; when it is reached there may be more.
    /// - Returns: how long to rest before the next read.
    mutating func read(_ count: Int, of limit: Int) -> Nanoseconds {
        self.count = count < limit ? 0 : self.count + 1
        return self.count > Self.fullReads ? Self.rest : .zero
    }
}
