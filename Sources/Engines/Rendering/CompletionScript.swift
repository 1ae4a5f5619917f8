// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// Shells that completion scripts are written for.
public enum Shell: String, Sendable, CaseIterable { case bash, zsh, fish }

/// Completion scripts of the client. Names (of channels, layouts, regions …) are asked of the service; while none runs
/// they are missing.
public struct CompletionScript {
    let catalogue: Catalogue

    public init(of catalogue: Catalogue) { self.catalogue = catalogue }

    public func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash()
        case .zsh: zsh()
        case .fish: fish()
        }
    }

    /// The way a shell finds the words that may stand for a field.
    enum Source {
        case nothing, words([String]), files
        /// The answer of the service to the command of this name.
        case names(String)
    }

    func source(of field: FieldDescription) -> Source {
        switch (field.names, field.type) {
        case (Self.commands?, _): .words(catalogue.commands.map(\.name))
        case (let listing?, _): .names(listing)
        case (nil, .formatted(let format)) where format.isFile: .files
        case (nil, _): field.type.choices.isEmpty ? .nothing : .words(field.type.choices)
        }
    }

    /// In place of a listing, for a field that takes the name of a command.
    static let commands = "help"

    /// The commands that list names which some field takes.
    var listings: [String] {
        let names = Set(catalogue.commands.flatMap(\.fields).compactMap(\.names))
        return catalogue.commands.map(\.name).filter { names.contains($0) && $0 != Self.commands }
    }

    /// - Parameter options: of the client, as the shell writes them.
    func names(of command: String, options: String) -> String {
        "touchline \(options)\(command) --names 2>/dev/null"
    }

    func options(of command: CommandDescription) -> [FieldDescription] { command.options + Catalogue.commonOptions }

    /// In single quotes, for all three shells: a quote inside is closed, escaped and opened again.
    func quoted(_ text: String) -> String {
        var quoted = "'"
        for character in text { quoted += character == "'" ? #"'\''"# : String(character) }
        return quoted + "'"
    }
}
