// SPDX-License-Identifier: Apache-2.0
import Time

/// A second copy of the same packets by another group, port or interface (SMPTE ST 2022-7).
public struct SecondPath: Hashable, Sendable {
    public var endpoint: FlowEndpoint
    /// The longest time that one path may lag behind the other: 10, 50 or 450 ms for classes A, B and C.
    public var skew: Nanoseconds

    public init(endpoint: FlowEndpoint, skew: Nanoseconds = .milliseconds(50)) {
        self.endpoint = endpoint
        self.skew = skew
    }
}
