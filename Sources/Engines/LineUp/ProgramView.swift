// SPDX-License-Identifier: Apache-2.0

/// The programs of each channel, which all parts of the box read. Only the feature Tuning changes it.
/// - Thread: the control loop's only.
public final class ProgramView {
    public var current = ProgramTable()

    public init() {}
}
