// SPDX-License-Identifier: Apache-2.0

/// A handler that exists after the waker that calls it. Lives on the loop's thread.
public final class LateHandler {
    public var handler: () -> Void = {}

    public init() {}
}
