// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlClient
import JSON
import Rendering

/// The program `touchline`: the client with this version's command catalogue and the texts generated from it.
public enum CommandLineClient {
    /// - Parameter words: the command line without the program's name.
    /// - Returns: the exit code; see `config/CONVENTIONS.md`.
    public static func run(_ words: [String], streams: ClientStreams) -> Int32 {
        let offline = OfflineLogin()
        return Client(catalogue, documents, streams: streams, offline: offline.logIn).run(words)
    }

    /// The commands, settings and events of this version's service. `CatalogueTests` writes the embedded document when
    /// `TOUCHLINE_WRITE_CATALOGUE` is set.
    public static let catalogue: Catalogue = {
        // `CatalogueTests` checks that the document equals the catalogue of the box.
        guard let document = try? JSONValue.parse(catalogueText),
            let catalogue = Catalogue(document: document)
        else { preconditionFailure("the embedded catalogue is none") }
        return catalogue
    }()

    package static let documents = ClientDocuments(
        shells: Shell.allCases.map(\.rawValue), manuals: ManualPage.allCases.map(\.rawValue),
        overview: { HelpText.overview(of: $0) }, page: { HelpText.page(of: $0) },
        completion: { shell, catalogue in
            Shell(rawValue: shell).map { CompletionScript(of: catalogue).text(for: $0) } ?? ""
        },
        manual: { page, catalogue in ManualPage(rawValue: page)?.text(of: catalogue) ?? "" },
        openAPI: { OpenAPI.document(of: $0).text(pretty: true) })
}
