// SPDX-License-Identifier: Apache-2.0
import Commands
import Signing
import Time

/// A token as the box knows it: whoever shows its text has its role. The text itself is not kept.
public struct AccessToken: Equatable, Sendable {
    public let name: String
    public let role: Role
    public let created: WallTime
    /// From when on it is none; nil: never.
    public let expires: WallTime?
    let digest: SecretDigest

    func hasExpired(at time: WallTime) -> Bool { expires.map { time >= $0 } ?? false }
}
