// SPDX-License-Identifier: Apache-2.0
import Venue

extension [RecordedInput] {
    /// What a replay gives to a receiver: packets of repair with sums of what was recorded, and nothing that repair made
    /// live.
    /// - Parameter repair: of the flow; nil if it has none.
    public func remade(_ repair: Repair?) -> [RecordedInput] {
        var windows: RemadeWindows?
        var parity: RemadeParity?
        switch repair {
        case .windows(let announced)?: windows = RemadeWindows(announced, of: self)
        case .parity?: parity = RemadeParity(of: self)
        case nil: break
        }
        return compactMap { input in
            guard input.kind != .recovered else { return nil }
            guard input.kind == .datagram, input.part >= 2 else { return input }
            var input = input
            input.octets =
                windows?.remade(input.octets) ?? parity?.remade(input.octets, at: input.time) ?? input.octets
            return input
        }
    }
}
