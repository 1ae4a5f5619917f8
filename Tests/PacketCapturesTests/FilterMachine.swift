// SPDX-License-Identifier: Apache-2.0
@testable import PacketCaptures

/// A machine that runs filters as linux/filter.h says, as far as ours go, beside the kernel's.
struct FilterMachine {
    /// What the kernel knows beside the octets.
    var hasTag = false
    var isLoopback = false
    var isOutgoing = false

    enum Fault: Error { case unknown(UInt16), runsOff }

    /// - Returns: the result; 0 also for a load behind the end.
    func run(_ program: FilterProgram, over frame: [UInt8]) throws -> UInt32 {
        var (accumulator, index): (UInt32, UInt32) = (0, 0)
        var place = 0
        func load(_ offset: UInt64, _ count: Int) -> UInt32? {
            guard offset + UInt64(count) <= UInt64(frame.count) else { return nil }
            return frame[Int(offset)..<Int(offset) + count].reduce(0) { $0 << 8 | UInt32($1) }
        }
        while place < program.instructions.count {
            let instruction = program.instructions[place]
            place += 1
            let constant = instruction.constant
            var holds: Bool?
            switch instruction.code {
            case 0x20 where constant == 0xffff_f030: accumulator = hasTag ? 1 : 0
            case 0x20 where constant == 0xffff_f01c: accumulator = isLoopback ? 772 : 1
            case 0x20 where constant == 0xffff_f004: accumulator = isOutgoing ? 4 : 2
            case 0x20, 0x28, 0x30:
                let count = instruction.code == 0x20 ? 4 : instruction.code == 0x28 ? 2 : 1
                guard let value = load(UInt64(constant), count) else { return 0 }
                accumulator = value
            case 0x48:
                guard let value = load(UInt64(index) + UInt64(constant), 2) else { return 0 }
                accumulator = value
            case 0xb1:
                guard let value = load(UInt64(constant), 1) else { return 0 }
                index = (value & 0xf) * 4
            case 0x15: holds = accumulator == constant
            case 0x35: holds = accumulator >= constant
            case 0x45: holds = accumulator & constant != 0
            case 0x06: return constant
            default: throw Fault.unknown(instruction.code)
            }
            if let holds { place += Int(holds ? instruction.whenTrue : instruction.whenFalse) }
        }
        throw Fault.runsOff
    }
}
