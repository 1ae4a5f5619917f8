// SPDX-License-Identifier: Apache-2.0

/// What is on now and next on each channel, which all parts of the box read. Only the feature Guide changes it.
/// - Thread: the control loop's only.
public final class NowNextView {
    public var current = NowNextTable()

    public init() {}
}
