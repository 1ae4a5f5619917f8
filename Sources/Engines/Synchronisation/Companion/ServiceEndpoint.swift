// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// Where a client connects to, and what it says first. A connection serves for one endpoint only: set-up data are sent
/// once.
struct ServiceEndpoint: Hashable, Sendable {
    let url: WebSocketURL
    /// Nil for CSS-CII, whose clients say nothing.
    let setup: SetupData?
}
