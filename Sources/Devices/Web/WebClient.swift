// SPDX-License-Identifier: Apache-2.0

/// Identifies one connection to a `WebServer`; it is never reused.
public struct WebClient: Hashable, Sendable {
    let number: UInt64
}
