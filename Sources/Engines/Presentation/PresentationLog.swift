// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Time

/// Which pictures of the main region became visible and when: the newest ones, of about a minute.
/// - Thread: any. The render thread may wait for a reader's copy of a few hundred entries.
public final class PresentationLog: Sendable {
    public struct Entry: Hashable, Sendable {
        public let session: Int
        /// Presentation time stamp, 90 kHz.
        public let pts: Int64
        public let due: Monotonic
        /// When the output showed the picture.
        public let visible: Monotonic

        public init(session: Int, pts: Int64, due: Monotonic, visible: Monotonic) {
            (self.session, self.pts, self.due, self.visible) = (session, pts, due, visible)
        }
    }

    public static let capacity = 2_048

    private struct Ring {
        var entries: [Entry] = []
        /// Entries that were ever added.
        var count = 0
    }

    private let ring = Mutex(Ring())

    public init() { ring.withLock { $0.entries.reserveCapacity(Self.capacity) } }

    public func add(_ entry: Entry) {
        ring.withLock { ring in
            if ring.entries.count < Self.capacity {
                ring.entries.append(entry)
            } else {
                ring.entries[ring.count % Self.capacity] = entry
            }
            ring.count += 1
        }
    }

    /// - Parameters:
    ///   - number: of the first entry that is wanted; entries are numbered from 0. Older ones than are kept are left out.
    ///   - limit: entries at most, 0 or more.
    /// - Returns: the entries, oldest first, and the number of the one that follows them.
    public func entries(from number: Int, atMost limit: Int) -> (entries: [Entry], next: Int) {
        ring.withLock { ring in
            let first = min(ring.count, max(number, ring.count - ring.entries.count))
            let next = first + min(ring.count - first, limit)
            return ((first..<next).map { ring.entries[$0 % Self.capacity] }, next)
        }
    }
}
