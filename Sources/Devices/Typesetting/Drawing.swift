// SPDX-License-Identifier: Apache-2.0

/// What a `TextRenderer` draws, one over the other.
public enum Drawing: Hashable, Sendable {
    case text(Text)
    case shape(Shape)
}
