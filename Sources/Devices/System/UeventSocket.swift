// SPDX-License-Identifier: Apache-2.0
import Bytes
import CSystemShims
import Glibc

/// Hears the kernel's uevents; of nobody else's. Never waits: its descriptor is for the loop of the thread that owns it.
public final class UeventSocket {
    /// More than the kernel puts into one datagram.
    private static let largestDatagram = 8_192
    /// What waits for us while we are busy; a card of many devices has some hundred events at once.
    private static let queueOctets: CInt = 1 << 20
    /// Datagrams of one `read`; the loop comes again for more.
    private static let mostDatagrams = 1_000

    private let descriptor: FileDescriptor
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: largestDatagram, alignment: 8)

    /// What one `read` found.
    public struct News: Equatable, Sendable {
        public var events: [Uevent] = []
        /// Something was lost or could not be read: look at everything again.
        public var isIncomplete = false
    }

    public init() throws(SystemCallError) {
        descriptor = FileDescriptor(
            adopting: try syscall("uevent socket") { touchline_uevent_open(Self.queueOctets) })
    }

    deinit { memory.deallocate() }

    /// Readable whenever `read` has something to do.
    public var rawValue: CInt { descriptor.rawValue }

    /// Takes what is there.
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
            guard count > 0 else { continue }  // not the kernel's
            do throws(WireError) {
                news.events.append(try Uevent(UnsafeRawBufferPointer(rebasing: memory[..<count])))
            } catch {
                news.isIncomplete = true
            }
        }
        return news
    }
}
