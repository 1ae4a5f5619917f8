// SPDX-License-Identifier: Apache-2.0

/// How the box can be claimed, for its slate. It is shown while the claim is open.
/// - Thread: the control loop's only.
public final class ClaimNotice {
    /// Empty while the box is not to be claimed.
    public var lines: [String] = []

    public init() {}
}
