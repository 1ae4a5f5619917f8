// SPDX-License-Identifier: Apache-2.0
import TransportStream
import Venue

extension [ListedProgram] {
    /// Programs of the PAT, in its order, with their names in the SDT. An empty name is none.
    init(_ numbers: some Sequence<UInt16>, _ services: [SDT.Service]) {
        let named = Dictionary(services.map { ($0.id, $0) }) { $1 }
        self = numbers.map { number in
            ListedProgram(
                number: number, name: named[number].flatMap { $0.name.isEmpty ? nil : $0.name },
                provider: named[number].flatMap { $0.provider.isEmpty ? nil : $0.provider })
        }
    }
}
