// SPDX-License-Identifier: Apache-2.0

/// Which program of a transport stream is meant.
public enum ProgramChoice: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// program_number of the PAT.
    case number(UInt16)
    /// Name of the service in the SDT.
    case name(String)

    public init(integerLiteral number: UInt16) { self = .number(number) }

    public func isListed(in programs: [ListedProgram]) -> Bool {
        programs.contains { program in
            switch self {
            case .number(let number): program.number == number
            case .name(let name): program.name == name
            }
        }
    }

    /// Whether the stream has no such program, as far as its tables are known. A name may still come while the SDT does
    /// not name all programs.
    public func isRuledOut(by programs: [ListedProgram]) -> Bool {
        guard !programs.isEmpty, !isListed(in: programs) else { return false }
        if case .name = self { return programs.allSatisfy { $0.name != nil } }
        return true
    }

    /// Names the program in a message.
    public var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .name(let name): "'\(name)'"
        }
    }
}
