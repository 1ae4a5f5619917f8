// SPDX-License-Identifier: Apache-2.0

/// One connection to a `WebServer`; never used again.
public struct WebClient: Hashable, Sendable {
    let number: UInt64
}
