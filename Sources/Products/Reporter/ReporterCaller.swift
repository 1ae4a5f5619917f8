// SPDX-License-Identifier: Apache-2.0
import Commands

/// Whom the token of a request shows.
enum ReporterCaller: Equatable {
    case nobody
    /// A box that shows the token of all boxes.
    case anyBox
    /// A box that shows its own credential.
    case box(String)
    case person(String, Role)
    /// Who collects metrics.
    case collector

    /// As records have it.
    var name: String { if case .person(let name, _) = self { name } else { "" } }
}
