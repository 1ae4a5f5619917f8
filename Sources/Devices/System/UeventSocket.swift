// SPDX-License-Identifier: Apache-2.0
import Bytes
import CSystemShims
import Glibc

/// Receives uevents of the kernel, and of no other sender. It never waits.
/// - Thread: one, whose event loop polls the descriptor.
public final class UeventSocket {
    /// Octets; the kernel puts no more into one datagram.
    private static let largestDatagram = 8_192
    /// Receive buffer for the events that arrive while the loop is busy; a card with many devices causes some hundred
    /// at once.
    private static let queueOctets: CInt = 1 << 20
    /// Limit on the datagrams of one `read`; the loop calls again for more.
    private static let mostDatagrams = 1_000

    private let descriptor: FileDescriptor
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: largestDatagram, alignment: 8)

    /// The result of one `read`.
    public struct News: Equatable, Sendable {
        public var events: [Uevent] = []
        /// Some events were lost or could not be parsed, so the caller must look at all devices again.
        public var isIncomplete = false
    }

    public init() throws(SystemCallError) {
        descriptor = FileDescriptor(
            adopting: try syscall("uevent socket") { touchline_uevent_open(Self.queueOctets) })
    }

    deinit { memory.deallocate() }

    /// Readable whenever `read` has something to do.
    public var rawValue: CInt { descriptor.rawValue }

    /// Reads the events that are queued, without waiting.
    public func read() throws(SystemCallError) -> News {
        var news = News()
        for _ in 0..<Self.mostDatagrams {
            let count = touchline_uevent_receive(descriptor.rawValue, memory.baseAddress, memory.count)
            guard count >= 0 else {
                let code = Errno.current
                if code == .wouldBlock { break }
                if code == .interrupted { continue }
                guard code.rawValue == ENOBUFS || code.rawValue == EMSGSIZE else {
                    throw SystemCallError("recvmsg uevent", code)
                }
                news.isIncomplete = true
                continue
            }
            guard count > 0 else { continue }  // not sent by the kernel
            do throws(WireError) {
                news.events.append(try Uevent(UnsafeRawBufferPointer(rebasing: memory[..<count])))
            } catch {
                news.isIncomplete = true
            }
        }
        return news
    }
}
