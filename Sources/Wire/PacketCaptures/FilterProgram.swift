// SPDX-License-Identifier: Apache-2.0

/// A program of the classic Berkeley packet filter (linux/filter.h), which the kernel runs over each frame. Its result is how
/// many octets of the frame are kept, 0 for a frame that is passed over. A load behind the end of a frame gives 0 too.
public struct FilterProgram: Equatable, Sendable {
    public struct Instruction: Equatable, Sendable {
        public let code: UInt16
        /// Instructions that are skipped, if the comparison holds and if it does not.
        public let whenTrue: UInt8
        public let whenFalse: UInt8
        public let constant: UInt32

        public init(_ code: UInt16, _ whenTrue: UInt8 = 0, _ whenFalse: UInt8 = 0, _ constant: UInt32) {
            (self.code, self.whenTrue, self.whenFalse, self.constant) = (code, whenTrue, whenFalse, constant)
        }
    }

    public let instructions: [Instruction]
}

/// Instructions with places in them that jumps lead to, all of them forward.
struct FilterAssembler {
    enum Target: Hashable {
        /// The instruction behind this one.
        case next
        case keep, drop
        /// The instruction in front of which `mark` was called.
        case mark(Int)
    }

    /// The codes of linux/bpf_common.h, named as there.
    enum Code {
        static let loadWord: UInt16 = 0x20  // BPF_LD | BPF_W | BPF_ABS
        static let loadHalf: UInt16 = 0x28  // BPF_LD | BPF_H | BPF_ABS
        static let loadOctet: UInt16 = 0x30  // BPF_LD | BPF_B | BPF_ABS
        static let loadIndexedHalf: UInt16 = 0x48  // BPF_LD | BPF_H | BPF_IND
        static let indexFromHeader: UInt16 = 0xb1  // BPF_LDX | BPF_B | BPF_MSH: 4 * ([k] & 0xf)
        static let ifEqual: UInt16 = 0x15  // BPF_JMP | BPF_JEQ | BPF_K
        static let ifAtLeast: UInt16 = 0x35  // BPF_JMP | BPF_JGE | BPF_K
        static let ifAnyBit: UInt16 = 0x45  // BPF_JMP | BPF_JSET | BPF_K
        static let give: UInt16 = 0x06  // BPF_RET | BPF_K
    }

    private struct Step {
        let code: UInt16
        let constant: UInt32
        var whenTrue = Target.next
        var whenFalse = Target.next
    }

    private var steps: [Step] = []
    private var places: [Int: Int] = [:]
    private var lastMark = 0

    /// A place for jumps that come before it is known where it lies.
    mutating func newMark() -> Int {
        lastMark += 1
        return lastMark
    }

    /// The next instruction is at this place.
    mutating func mark(_ mark: Int) { places[mark] = steps.count }

    mutating func load(_ code: UInt16, at offset: UInt32) { steps.append(Step(code: code, constant: offset)) }

    mutating func test(
        _ code: UInt16, _ constant: UInt32, then whenTrue: Target = .next, else whenFalse: Target = .drop
    ) {
        steps.append(Step(code: code, constant: constant, whenTrue: whenTrue, whenFalse: whenFalse))
    }

    /// Skips to a place, whatever was loaded.
    mutating func go(to target: Target) { test(Code.ifEqual, 0, then: target, else: target) }

    /// - Parameter octets: how many of a frame are kept that the program does not drop.
    func program(keeping octets: UInt32) -> FilterProgram {
        let end = steps.count
        func distance(_ target: Target, from index: Int) -> UInt8 {
            let place =
                switch target {
                case .next: index + 1
                case .keep: end
                case .drop: end + 1
                case .mark(let mark): places[mark] ?? end + 1
                }
            precondition((0...255).contains(place - index - 1), "a filter jumps forward, and not far")
            return UInt8(place - index - 1)
        }
        var made = steps.enumerated().map { index, step in
            FilterProgram.Instruction(
                step.code, distance(step.whenTrue, from: index), distance(step.whenFalse, from: index), step.constant)
        }
        made.append(FilterProgram.Instruction(Code.give, 0, 0, octets))
        made.append(FilterProgram.Instruction(Code.give, 0, 0, 0))
        return FilterProgram(instructions: made)
    }
}
