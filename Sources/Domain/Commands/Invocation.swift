// SPDX-License-Identifier: Apache-2.0
import JSON

/// A parsed command line of the client.
public struct Invocation: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        /// Explains the command of this name; nil lists all commands.
        case help(String?)
        /// A command that the client answers itself.
        case local(CommandRequest)
        case request(CommandRequest)
    }

    public let action: Action
    public let isJSON: Bool
    /// The path of the control socket; nil if the default is meant.
    public let socket: String?
    private let clientOptions: [String: JSONValue]

    /// - Parameters:
    ///   - words: the command line without the program's name. Options may stand anywhere before `--`.
    ///   - readDocument: reads the JSON file with this path, which an argument names.
    public init(
        _ words: [String], in catalogue: Catalogue,
        readDocument: (String) throws(CommandError) -> JSONValue = { (path) throws(CommandError) in
            throw .unreadableDocument(path, why: "files are not read here")
        }
    ) throws(CommandError) {
        var line = CommandLineReader(words, catalogue)
        try line.read()
        isJSON = line.options["json"]?.bool ?? false
        socket = line.options["socket"]?.string
        clientOptions = line.options
        action = try Self.action(of: line, in: catalogue, readDocument)
    }

    public func path(_ option: String) -> String? { clientOptions[option]?.string }
    public func isSet(_ flag: String) -> Bool { clientOptions[flag]?.bool ?? false }

    private static func action(
        of line: CommandLineReader, in catalogue: Catalogue,
        _ readDocument: (String) throws(CommandError) -> JSONValue
    ) throws(CommandError) -> Action {
        let asksForHelp = line.options["help"] != nil
        guard let command = line.command else {
            guard asksForHelp else { throw .noCommand }
            return .help(nil)
        }
        if asksForHelp { return .help(command.name) }
        let request = try CommandRequest(command, arguments: .object(try line.requestArguments(readDocument)))
        if command.name == "help" {
            guard let topic = request.text("command") else { return .help(nil) }
            return .help(try catalogue.command(named: topic).name)
        }
        return command.isLocal ? .local(request) : .request(request)
    }
}
