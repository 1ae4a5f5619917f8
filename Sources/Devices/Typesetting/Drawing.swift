// SPDX-License-Identifier: Apache-2.0

/// Something that a `TextRenderer` draws; later drawings cover earlier ones.
public enum Drawing: Hashable, Sendable {
    case text(Text)
    case shape(Shape)
}
