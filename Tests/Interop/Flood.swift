// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Threads that send short datagrams to a group as fast as they can.
final class Flood: Sendable {
    private let isOver = Atomic(false)
    private let sent = Atomic(0)
    private let threads = DispatchGroup()

    /// - Parameter datagram: the same again and again.
    init(_ datagram: [UInt8], to target: Group, senders: Int) {
        for _ in 0..<senders {
            threads.enter()
            let thread = Thread { [self] in
                var count = 0
                if let sender = try? DatagramSender(to: target) {  // a flood without it has too few datagrams
                    while !isOver.load(ordering: .relaxed) {
                        // A datagram that the kernel refuses is one less.
                        if (try? sender.send(datagram)) != nil { count += 1 }
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
