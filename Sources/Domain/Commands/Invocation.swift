// SPDX-License-Identifier: Apache-2.0
import JSON

/// A command line of the client, understood.
public struct Invocation: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        /// Of this command; nil: of all.
        case help(String?)
        case completion(Shell)
        case manual(ManualPage)
        case top(TopOptions)
        /// Lines are commands, from standard input.
        case console
        case openAPI
        case request(CommandRequest)
    }

    public let action: Action
    public let isJSON: Bool
    /// Nil: the default.
    public let socket: String?
    private let localOptions: [String: JSONValue]

    /// - Parameter words: without the program's name. Options may stand anywhere until `--`.
    public init(_ words: [String]) throws(CommandError) {
        var line = CommandLineReader(words)
        try line.read()
        isJSON = line.options["json"]?.bool ?? false
        socket = line.options["socket"]?.string
        localOptions = line.options
        action = try Self.action(of: line)
    }

    public func path(_ option: String) -> String? { localOptions[option]?.string }
    public func isSet(_ flag: String) -> Bool { localOptions[flag]?.bool ?? false }

    private static func action(of line: CommandLineReader) throws(CommandError) -> Action {
        let asksForHelp = line.options["help"] != nil
        guard let command = line.command else {
            guard asksForHelp else { throw .noCommand }
            return .help(nil)
        }
        if asksForHelp { return .help(command.name) }
        let request = try CommandRequest(command: command.name, arguments: .object(try line.requestArguments()))
        switch command.name {
        case "help":
            guard let topic = request.text("command") else { return .help(nil) }
            return .help(try Command.named(topic).name)
        case "man": return .manual(request.text("page").flatMap(ManualPage.init) ?? .touchline)
        case "top": return .top(TopOptions(request))
        case "console": return .console
        case "completion": return .completion(request.text("shell").flatMap(Shell.init) ?? .bash)
        case "openapi": return .openAPI
        default: return .request(request)
        }
    }
}
