// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// The manual pages. They are made from the same descriptions of commands and settings that the programs use.
public enum ManualPage: String, Sendable, CaseIterable {
    case touchline, touchlined
    case configuration = "touchline-config"

    /// The date of the last change to the text that does not come from these descriptions.
    static let date = "2026-11-21"

    public var section: Int {
        switch self {
        case .touchline: 1
        case .configuration: 5
        case .touchlined: 8
        }
    }

    /// The path of the page below `/usr/share/man`.
    public var path: String { "man\(section)/\(rawValue).\(section)" }

    /// The page as roff source in the macros of man(7), in ASCII.
    public func text(of catalogue: Catalogue) -> String {
        switch self {
        case .touchline: Self.client(of: catalogue)
        case .touchlined: Self.service()
        case .configuration: Self.settings(of: catalogue)
        }
    }

    /// The other pages, for SEE ALSO.
    var relatives: String {
        Self.allCases.filter { $0 != self }.map { "\($0.rawValue)(\($0.section))" }.joined(separator: ", ")
    }

    /// Writes the exit status, which all programs share (`config/CONVENTIONS.md`).
    static func writeExitStatus(to page: inout Roff) {
        page.section("EXIT STATUS")
        page.item("0", "Done.")
        page.item("1", "Failed: the request was understood and could not be done.")
        page.item("2", "Usage: the request was not understood.")
        page.item("69", "The service is not reachable.")
        page.item("75", "Busy: try again; or another service runs on this box.")
        page.item("78", "The settings are refused.")
    }

    static func write(_ options: [FieldDescription], to page: inout Roff) {
        for option in options { page.item(HelpText.option(option), HelpText.explanation(option)) }
    }
}
