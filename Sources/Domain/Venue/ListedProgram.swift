// SPDX-License-Identifier: Apache-2.0

/// A program of a transport stream, as the stream's own tables list it.
public struct ListedProgram: Hashable, Sendable {
    /// program_number of the PAT.
    public let number: UInt16
    /// Name of the service in the SDT; nil while there is none.
    public let name: String?
    /// Name of the service's provider in the SDT; nil if there is none.
    public let provider: String?

    public init(number: UInt16, name: String? = nil, provider: String? = nil) {
        self.number = number
        self.name = name
        self.provider = provider
    }
}

extension [ListedProgram] {
    /// Numbers and names for a message, of the first few alone.
    public var text: String {
        let shown = prefix(8).map { program in program.name.map { "\(program.number) \($0)" } ?? "\(program.number)" }
        return shown.joined(separator: ", ") + (count > 8 ? " and \(count - 8) more" : "")
    }
}
