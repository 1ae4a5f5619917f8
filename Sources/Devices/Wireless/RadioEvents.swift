// SPDX-License-Identifier: Apache-2.0
import Bytes
import NetlinkMessages
import Radio
import System

/// Receives what the kernel tells of radios by itself. It never waits.
/// - Thread: one.
final class RadioEvents {
    /// The groups of nl80211 in which are the events that are understood here.
    private static let groups = ["config", "scan", "regulatory", "mlme"]
    /// Limit on the datagrams of one `read`.
    private static let mostDatagrams = 1_000

    private let socket: NetlinkSocket
    private let family: UInt16

    init(_ family: NetlinkFamily) throws(SystemCallError) {
        socket = try NetlinkSocket(.generic)
        self.family = family.number
        for name in Self.groups {
            if let group = family.groups[name] { try socket.join(group) }
        }
    }

    /// Readable whenever `read` has something to do.
    var rawValue: CInt { socket.rawValue }

    /// Reads the events that are queued.
    /// - Returns: `lost` if some were lost or could not be understood.
    func read() throws(SystemCallError) -> (events: [RadioEvent], isIncomplete: Bool) {
        var events: [RadioEvent] = []
        var isIncomplete = false
        for _ in 0..<Self.mostDatagrams {
            switch try socket.receive() {
            case .nothing: return (events, isIncomplete)
            case .lost: isIncomplete = true
            case .datagram(let bytes):
                do throws(WireError) {
                    for case .event(let event) in try WirelessMessage.parse(bytes, family: family) {
                        events.append(event)
                    }
                } catch {
                    isIncomplete = true
                }
            }
        }
        return (events, isIncomplete)
    }
}
