// SPDX-License-Identifier: Apache-2.0
import Time

/// What a change of settings is accompanied by: who makes it, why, and under which conditions.
public struct SettingsTerms: Equatable, Sendable {
    /// Who makes the change; nil names the interface that it came by.
    public var author: String?
    /// Why, in the author's words; may be empty.
    public var comment: String
    /// The revision that the author has seen. The change is refused if another one is in force; nil accepts any.
    public var base: Int?
    /// The time in which the change has to prove itself. If it is given, even a change that interrupts nothing has to; nil
    /// takes the time of the settings for changes that need it.
    public var confirmWithin: Nanoseconds?
    /// Whether the change is only checked and prepared, but not written and committed.
    public var isTrial: Bool

    public init(
        author: String? = nil, comment: String = "", base: Int? = nil, confirmWithin: Nanoseconds? = nil,
        isTrial: Bool = false
    ) {
        self.author = author
        self.comment = comment
        self.base = base
        self.confirmWithin = confirmWithin
        self.isTrial = isTrial
    }
}
