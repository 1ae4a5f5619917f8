// SPDX-License-Identifier: Apache-2.0

/// What is read of a message at most, beside its octets. The standard has no limits.
enum MessageLimits {
    /// Octets of a URL or a content identifier.
    static let uri = 2_048
    /// Octets of a timeline selector.
    static let selector = 1_024
    static let timelines = 64
    static let privateData = 32
    /// Octets and words of a presentation status.
    static let status = 256
    static let statusWords = 16
    /// Arrays and objects within one another, and all values.
    static let depth = 16
    static let values = 4_096
}
