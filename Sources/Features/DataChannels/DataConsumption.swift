// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Settings

/// Makes a command of a message of a data channel (SVM-48): a text runs in the ticker, a cue is itself a command. Anybody in
/// the network can send to a multicast group: a cue is signed as a group command is, within the scope of its key, or the
/// settings allow its command unsigned, with the role operator at most.
struct DataConsumption {
    static let cueType = "application/vnd.touchline.command+json"
    static let textType = "text/plain"
    /// Of an envelope of DSSE.
    static let signedType = "application/vnd.dsse.envelope.v1+json"

    enum Task: Equatable {
        case command(CommandRequest)
        /// An envelope, of which nothing has been checked.
        case signed([UInt8])
    }

    enum Refusal: Error, Equatable, CustomStringConvertible {
        case contentType(String, expected: String)
        case notText
        case notJSON(String)
        case notACommand(String)
        case notAllowed(String)
        case role(String)

        /// Text of the log; a text is logged once for each channel.
        var description: String {
            switch self {
            case .contentType(let type, let expected): "content type \"\(type)\"; expected \(expected)"
            case .notText: "no text in UTF-8"
            case .notJSON(let why): "not JSON: \(why)"
            case .notACommand(let why): why
            case .notAllowed(let command): "data.allowedCommands has no \"\(command)\""
            case .role(let command): "\(command) needs the role administrator"
            }
        }
    }

    private let allowed: Set<String>

    private let catalogue: Catalogue

    init(allowed: [String], in catalogue: Catalogue) {
        self.allowed = Set(allowed)
        self.catalogue = catalogue
    }

    /// - Parameters:
    ///   - contentType: media type, with or without parameters; "" stands for the type that the consumer expects.
    ///   - text: nil if the message is not plain text.
    func task(
        for kind: Settings.Data.Consumer.Kind, contentType: String, text: String?, octets: [UInt8]
    ) throws(Refusal) -> Task {
        let expected = kind == .ticker ? Self.textType : Self.cueType
        let type = (contentType.split(separator: ";", maxSplits: 1).first.map(String.init) ?? "").lowercased()
            .filter { $0 != " " }
        if kind == .cues, type == Self.signedType { return .signed(octets) }
        guard contentType.isEmpty || type == expected else { throw .contentType(contentType, expected: expected) }
        switch kind {
        case .ticker:
            guard let text else { throw .notText }
            return .command(try ticker(text))
        case .cues: return try cue(octets, saysType: !contentType.isEmpty)
        }
    }

    /// Line ends become spaces. A text of white space alone removes the ticker.
    private func ticker(_ text: String) throws(Refusal) -> CommandRequest {
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        guard !words.isEmpty else { return try request("ticker-clear") }
        return try request("ticker", ["text": .string(words)])
    }

    private func cue(_ octets: [UInt8], saysType: Bool) throws(Refusal) -> Task {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONValue.parse(octets)
        } catch {
            throw .notJSON("\(error)")
        }
        if !saysType, document["payloadType"] != nil { return .signed(octets) }
        guard let members = document.object, let name = members["command"]?.string else {
            throw .notACommand("expected an object with a command")
        }
        if let extra = members.keys.sorted().first(where: { !["command", "arguments"].contains($0) }) {
            throw .notACommand("unknown member '\(extra)'; expected one of command, arguments")
        }
        guard allowed.contains(name) else { throw .notAllowed(name) }
        let request = try request(name, members["arguments"] ?? [:])
        guard let command = catalogue[name], command.role <= .operator else { throw .role(name) }
        return .command(request)
    }

    private func request(_ name: String, _ arguments: JSONValue = [:]) throws(Refusal) -> CommandRequest {
        do {
            return try CommandRequest(command: name, arguments: arguments, in: catalogue)
        } catch {
            throw .notACommand(error.status.errorString)
        }
    }
}
