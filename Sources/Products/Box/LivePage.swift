// SPDX-License-Identifier: Apache-2.0
import Control

/// The files of `Page`, by their path: bytes of the program, since there is nothing beside it.
enum LivePage {
    static let pages: [String: HTTPPage] = [
        "/": HTTPPage(PackageResources.index_html, type: "text/html; charset=utf-8")
    ]
}
