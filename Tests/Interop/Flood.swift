// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Threads that send short datagrams to a group as fast as they can, in trains that the kernel divides: a sender of single
/// datagrams is no faster than the thread that reads them.
final class Flood: Sendable {
    private let isOver = Atomic(false)
    private let sent = Atomic(0)
    private let threads = DispatchGroup()

    private static let train = 64

    /// - Parameter datagram: the same again and again.
    init(_ datagram: [UInt8], to target: Group, senders: Int) {
        for _ in 0..<senders {
            threads.enter()
            let thread = Thread { [self] in
                var count = 0
                let train = [UInt8]((0..<Self.train).map { _ in datagram }.joined())
                // A flood without one of its senders has too few datagrams.
                if let sender = try? DatagramSender(to: target),
                    (try? sender.divide(into: Int32(datagram.count))) != nil
                {
                    while !isOver.load(ordering: .relaxed) {
                        // A train that the kernel refuses is one less.
                        if (try? sender.send(train)) != nil { count += Self.train }
                    }
                }
                sent.add(count, ordering: .relaxed)
                threads.leave()
            }
            thread.start()
        }
    }

    /// - Returns: number of datagrams that were sent.
    func end() -> Int {
        isOver.store(true, ordering: .relaxed)
        threads.wait()
        return sent.load(ordering: .relaxed)
    }
}
