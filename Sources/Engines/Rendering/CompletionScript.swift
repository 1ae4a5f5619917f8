// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// The shells that have a completion script.
public enum Shell: String, Sendable, CaseIterable { case bash, zsh, fish }

/// Completion scripts of the client. The script asks the service for names (of channels, layouts, regions …), so these
/// are missing while no service runs.
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

    /// Where a shell finds the words that complete a field.
    enum Source {
        case nothing, words([String]), files
        /// The names that the service lists for this command.
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

    /// The value of `FieldDescription.names` for a field that takes the name of a command. No listing is needed for it.
    static let commands = "help"

    /// The commands that list the names of any field.
    var listings: [String] {
        let names = Set(catalogue.commands.flatMap(\.fields).compactMap(\.names))
        return catalogue.commands.map(\.name).filter { names.contains($0) && $0 != Self.commands }
    }

    /// The call of the client that lists names.
    /// - Parameter options: options of the client in the syntax of the shell, followed by a space unless empty.
    func names(of command: String, options: String) -> String {
        "touchline \(options)\(command) --names 2>/dev/null"
    }

    func options(of command: CommandDescription) -> [FieldDescription] { command.options + Catalogue.commonOptions }

    /// The text in single quotes, for all three shells. At each quote within it, the quotes are closed, the quote is
    /// escaped, and the quotes are opened again.
    func quoted(_ text: String) -> String {
        var quoted = "'"
        for character in text { quoted += character == "'" ? #"'\''"# : String(character) }
        return quoted + "'"
    }
}
