// SPDX-License-Identifier: Apache-2.0
import Commands

/// The texts that a client prints by itself. The product that assembles the client provides them.
public struct ClientDocuments: Sendable {
    let shells: [String]
    let manuals: [String]
    let overview: @Sendable (Catalogue) -> String
    let page: @Sendable (CommandDescription) -> String
    let completion: @Sendable (_ shell: String, Catalogue) -> String
    let manual: @Sendable (_ page: String, Catalogue) -> String
    let openAPI: @Sendable (Catalogue) -> String

    /// - Parameters:
    ///   - shells: the shells that `completion` knows.
    ///   - manuals: the pages that `manual` knows. The first is printed if no page is named.
    public init(
        shells: [String], manuals: [String], overview: @escaping @Sendable (Catalogue) -> String,
        page: @escaping @Sendable (CommandDescription) -> String,
        completion: @escaping @Sendable (_ shell: String, Catalogue) -> String,
        manual: @escaping @Sendable (_ page: String, Catalogue) -> String,
        openAPI: @escaping @Sendable (Catalogue) -> String
    ) {
        self.shells = shells
        self.manuals = manuals
        self.overview = overview
        self.page = page
        self.completion = completion
        self.manual = manual
        self.openAPI = openAPI
    }
}
