// SPDX-License-Identifier: Apache-2.0

/// A handler that is made after what calls it.
final class LateHandler {
    var handler: () -> Void = {}
}
