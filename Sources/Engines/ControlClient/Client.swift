// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlMessages
import JSON
import System
import Time
import Venue

/// The program `touchline`: executes a command line, prints the result and returns an exit code.
public struct Client {
    public static let defaultSocket = "/run/touchline/control.sock"
    /// Where a service keeps what it keeps, unless its command line says otherwise, which the client cannot know.
    static let stateDirectory = "/var/lib/touchline"
    /// The longest wait for an answer. A healthy box answers within a frame or two.
    private static let patience = Nanoseconds.seconds(10)
    /// The same for commands whose work takes longer: up to 20 echo requests are a second apart.
    private static let longPatience = ["ping": Nanoseconds.seconds(35)]

    private let catalogue: Catalogue
    private let documents: ClientDocuments
    private var streams: ClientStreams
    private let offline: ConsoleGate.Offline

    /// - Parameters:
    ///   - catalogue: the catalogue of the service. The client adds the commands that it answers itself.
    ///   - offline: says who may use the console while the service does not answer.
    public init(
        _ catalogue: Catalogue, _ documents: ClientDocuments, streams: ClientStreams,
        offline: @escaping ConsoleGate.Offline = { _, _ in .notNeeded(notice: []) }
    ) {
        self.offline = offline
        self.catalogue = Self.complete(catalogue, documents)
        self.documents = documents
        self.streams = streams
    }

    /// The catalogue of the service and the commands that the client answers itself.
    package static func complete(_ catalogue: Catalogue, _ documents: ClientDocuments) -> Catalogue {
        catalogue.adding(LocalCommands.all(shells: documents.shells, manuals: documents.manuals))
    }

    /// - Parameter words: the command line without the program's name.
    /// - Returns: the exit code, as `config/CONVENTIONS.md` defines it.
    public func run(_ words: [String]) -> Int32 {
        do {
            try run(Invocation(words, in: catalogue, readDocument: Self.document))
            return 0
        } catch let error as CommandError {
            return fail(error.status)
        } catch let error as ControlClientError {
            return fail(error.status)
        } catch let end as ConsoleEnd {
            return end.code
        } catch let status as Status {
            return fail(status)
        } catch {
            return fail(.failure(.failed, "\(error)"))
        }
    }

    /// The JSON document in a file; `-` is standard input. A word that begins with a brace is the document itself, so that
    /// it can be typed where there are no files: at the serial console.
    private static func document(_ path: String) throws(CommandError) -> JSONValue {
        let limits = JSONLimits(maximumOctets: ControlRequest.lineLimit)
        do {
            if path.hasPrefix("{") { return try JSONValue.parse(Array(path.utf8), limits: limits) }
            let octets =
                try path == "-" ? StandardInput.readAll(limit: limits.maximumOctets) : DurableFile.read(path)
            guard let octets else { throw Status.failure(.failed, path == "-" ? "too long" : "there is no such file") }
            return try JSONValue.parse(octets, limits: limits)
        } catch let error as Status {
            throw .unreadableDocument(path, why: error.errorString)
        } catch {
            throw .unreadableDocument(path, why: "\(error)")
        }
    }

    private func fail(_ status: Status) -> Int32 {
        streams.tell(AnswerText.harmless(status.errorString))
        return Int32(status.code.rawValue)
    }

    private func run(_ invocation: Invocation) throws {
        switch invocation.action {
        case .help(nil): try write(documents.overview(catalogue))
        case .help(let name?): try write(documents.page(catalogue.command(named: name)))
        case .local(let request): try run(request, invocation)
        case .request(let request):
            do {
                try execute(try atTerminal(request, invocation), invocation)
            } catch let error as ControlClientError where request.command == LocalDiagnosis.command {
                guard let local = LocalDiagnosis(of: error) else { throw error }
                try show(local.answer, of: request, invocation)
            }
        }
    }

    /// A screenshot for a terminal is text that fits it.
    private func atTerminal(_ request: CommandRequest, _ invocation: Invocation) throws -> CommandRequest {
        guard ScreenshotAtTerminal.concerns(request, invocation), streams.isTerminal else { return request }
        return try ScreenshotAtTerminal.request(request, in: catalogue, streams)
    }

    /// Answers a command of `LocalCommands`.
    private func run(_ request: CommandRequest, _ invocation: Invocation) throws {
        let socket = invocation.socket
        switch request.command {
        case "completion": try write(documents.completion(request.text("shell") ?? "", catalogue))
        case "man": try write(documents.manual(request.text("page") ?? documents.manuals[0], catalogue))
        case "openapi": try write(documents.openAPI(catalogue))
        case "top": try Top(TopOptions(request), socket: socket ?? Self.defaultSocket, streams).run()
        case "console" where StandardInput.isTerminal && streams.isTerminal:
            let gate = ConsoleGate(path: socket ?? Self.defaultSocket) { [offline] in offline($0, Self.stateDirectory) }
            try Console(catalogue, gate, socket: socket, streams).run()
        case "console": try ConsoleScript(catalogue, socket: socket, streams).run()
        case "config-sign": try write(OrderCommands.signed(request).text(pretty: true))
        case "config-verify": try write(OrderCommands.verified(request).text(pretty: true))
        case "config-push":
            try execute(CommandRequest(command: "push", arguments: request.arguments, in: catalogue), invocation)
        case "group-sign": try write(GroupCommandSending(request, in: catalogue).envelope.text() + "\n")
        case "group-send": try show(GroupCommandSending(request, in: catalogue).send(), of: request, invocation)
        case TechSupport.name:
            let options = socket.map { ["--socket", $0] } ?? []
            if invocation.isJSON {
                try show(techSupport(options), of: request, invocation)
            } else {
                try showTechSupport(options)
            }
        default:
            guard let file = FileCommand(of: request) else { return try showPage(request, invocation) }
            try fetch(file, request, invocation)
        }
    }

    private func showPage(_ request: CommandRequest, _ invocation: Invocation) throws {
        if let page = StatisticPage(of: request) {
            let path = invocation.socket ?? Self.defaultSocket
            var client = try ControlClient(connectingTo: path)
            let stats = try answer(to: CommandRequest(command: "stats", in: catalogue), by: &client, at: path)
            return try show(page.part(of: stats), of: request, invocation)
        }
        guard let answer = try Pages.answer(to: request, in: catalogue) else {
            preconditionFailure("\(request.command) is in the list of local commands and is not answered")
        }
        let isLog = request.command == LogPage.name && !invocation.isJSON
        try isLog ? write(LogPage.text(of: answer)) : show(answer, of: request, invocation)
    }

    private func showTechSupport(_ socket: [String]) throws {
        for words in TechSupport.commands {
            try write("\n==== \(words.joined(separator: " ")) ====\n")
            _ = run(socket + words)  // one that fails has said why, in its place
        }
    }

    /// The same as one document: the answer of each page by its name, or why there is none.
    private func techSupport(_ socket: [String]) -> JSONValue {
        var pages: [String: JSONValue] = [:]
        for words in TechSupport.commands {
            var (printed, said): ([UInt8], [String]) = ([], [])
            var part = self
            part.streams = ClientStreams(
                write: { printed += $0 }, tell: { said.append($0) }, isTerminal: false, isStyled: false)
            _ = part.run(socket + words + ["--json"])
            pages[words[0]] = (try? JSONValue.parse(printed)) ?? ["error": .string(said.joined(separator: "; "))]
        }
        return ["pages": .object(pages)]
    }

    /// Fetches a file: to where the command line says, to a pipe, or to whoever is at the terminal.
    private func fetch(_ file: FileCommand, _ request: CommandRequest, _ invocation: Invocation) throws {
        let path = invocation.socket ?? Self.defaultSocket
        var client = try ControlClient(connectingTo: path)
        let fetch = FileFetch { offset in
            let piece = try file.piece(of: request, at: offset, in: catalogue)
            return try FilePiece(answer(to: piece, by: &client, at: path), at: offset)
        }
        if let output = self.path(of: invocation) { return try fetch.write(to: output) }
        let name = file.fileName(of: request)
        if invocation.isSet("usb") {
            return try write(AnswerText.harmless(StickOutbox().send(fetch.whole(), named: name)) + "\n")
        }
        guard TerminalTransfer.canSend else { return try streams.write(fetch.whole()) }
        try TerminalTransfer.send(fetch.whole(), named: name)
    }

    private func answer(
        to request: CommandRequest, by client: inout ControlClient, at path: String
    ) throws -> JSONValue {
        try client.wait(atMost: Self.longPatience[request.command] ?? Self.patience)
        try client.send(ControlRequest(id: 1, command: request.command, arguments: request.arguments))
        guard case .answer(let status, let result)? = try client.next() else { throw ControlClientError.closed(path) }
        guard status.isOk else { throw status }
        return result
    }

    private func execute(_ request: CommandRequest, _ invocation: Invocation) throws {
        let path = invocation.socket ?? Self.defaultSocket
        var client = try ControlClient(connectingTo: path)
        let result = try answer(to: request, by: &client, at: path)
        guard request.asksForStream else { return try show(result, of: request, invocation) }
        try client.wait(atMost: nil)
        while let reply = try client.next() {
            switch reply {
            case .event(let event):
                try write(invocation.isJSON ? event.text() + "\n" : text(for: invocation).event(event))
            case .message(let message):
                try write(invocation.isJSON ? message.text() + "\n" : text(for: invocation).message(message))
            case .dropped(let count):
                streams.tell(
                    "\(count) \(request.command == "data" ? "messages" : "events") lost: this reader is too slow")
            case .answer: throw ControlClientError.notOurs(path)
            }
        }
        throw ControlClientError.closed(path)
    }

    private func show(_ result: JSONValue, of request: CommandRequest, _ invocation: Invocation) throws {
        if invocation.isJSON { return try write(result.text(pretty: true)) }
        let answer = try catalogue.command(named: request.command).answer
        switch answer.form {
        case .image:
            let picture = try ScreenshotAtTerminal.picture(of: result)
            if let path = path(of: invocation) {
                try DurableFile.write(picture, to: path)
            } else if streams.isTerminal, ScreenshotAtTerminal.isSent(request, invocation) {
                let name = ScreenshotAtTerminal.fileName(at: SystemClock.wall())
                try TerminalTransfer.send(picture, named: name)
            } else {
                try streams.write(picture)
            }
        case .table where invocation.isSet("names"):
            let rows = answer.member.flatMap { result[$0.name]?.array } ?? []
            let names = rows.compactMap { $0["name"]?.string ?? $0["id"]?.string }
            try write(names.map { AnswerText.harmless($0) + "\n" }.joined())
        default: try write(text(for: invocation).text(of: result, as: answer))
        }
        if let dropped = result["dropped"]?.integer, dropped > 0, answer.form == .events {
            streams.tell("\(dropped) older events are gone")
        }
    }

    private func text(for invocation: Invocation) -> AnswerText {
        let isLong = invocation.isSet("long")
        let isCut = streams.isTerminal && !isLong
        return AnswerText(isStyled: streams.isStyled, isLong: isLong, eventWidth: isCut ? streams.columns : nil)
    }

    /// The file to write the result to; nil for standard output.
    private func path(of invocation: Invocation) -> String? {
        invocation.path("output").flatMap { $0 == "-" ? nil : $0 }
    }

    private func write(_ text: String) throws { try streams.write(Array(text.utf8)) }
}
