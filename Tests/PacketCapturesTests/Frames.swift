// SPDX-License-Identifier: Apache-2.0
import Venue

/// Frames of Ethernet, made by hand from the standards.
enum Frames {
    private static let addresses: [UInt8] = [0x01, 0, 0x5e, 1, 2, 3, 0x02, 0, 0, 0, 0, 1]

    static func four(
        _ source: String, _ destination: String, protocol number: UInt8, options: Int = 0, fragment: UInt16 = 0,
        _ payload: [UInt8]
    ) -> [UInt8] {
        let words = 5 + options
        let total = words * 4 + payload.count
        var frame = begun(with: 0x0800)
        frame += [0x40 | UInt8(words), 0] as [UInt8]
        add(UInt16(total), to: &frame)
        frame += [0, 7] as [UInt8]
        add(fragment, to: &frame)
        frame += [8, number, 0, 0] as [UInt8]
        frame += octets(source)
        frame += octets(destination)
        frame += [UInt8](repeating: 1, count: options * 4)
        frame += payload
        return frame
    }

    static func six(_ source: String, _ destination: String, next: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var frame = begun(with: 0x86dd)
        frame += [0x60, 0, 0, 0] as [UInt8]
        add(UInt16(payload.count), to: &frame)
        frame += [next, 1] as [UInt8]
        frame += octets(source)
        frame += octets(destination)
        frame += payload
        return frame
    }

    static func arp(_ sender: String, _ target: String) -> [UInt8] {
        let hardware: [UInt8] = [2, 0, 0, 0, 0, 1]
        var frame = begun(with: 0x0806)
        frame += [0, 1, 8, 0, 6, 4, 0, 1] as [UInt8]
        frame += hardware
        frame += octets(sender)
        frame += hardware
        frame += octets(target)
        return frame
    }

    static func udp(_ source: UInt16, _ destination: UInt16, _ payload: [UInt8] = [0x80, 33, 0, 1]) -> [UInt8] {
        var datagram: [UInt8] = []
        for field in [source, destination, UInt16(8 + payload.count), 0] as [UInt16] { add(field, to: &datagram) }
        datagram += payload
        return datagram
    }

    /// A message of MLD behind its router alert.
    static func listener(_ type: UInt8) -> [UInt8] {
        six("fe80::1", "ff02::16", next: 0, [58, 0, 5, 2, 0, 0, 1, 0, type, 0, 0, 0, 0, 0, 0, 1])
    }

    static func neighbour(_ type: UInt8) -> [UInt8] {
        var message = [UInt8](repeating: 0, count: 24)
        message[0] = type
        return six("fe80::1", "ff02::1:ff00:2", next: 58, message)
    }

    /// One of another protocol.
    static func addressed(_ type: UInt16) -> [UInt8] {
        begun(with: type) + [UInt8](repeating: 0, count: 46)
    }

    private static func begun(with type: UInt16) -> [UInt8] {
        var frame = addresses
        add(type, to: &frame)
        return frame
    }

    private static func add(_ field: UInt16, to octets: inout [UInt8]) {
        octets.append(UInt8(field >> 8))
        octets.append(UInt8(field & 0xff))
    }

    static func octets(_ address: String) -> [UInt8] { NumericAddress(address)?.octets ?? [] }
}
