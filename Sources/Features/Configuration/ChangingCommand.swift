// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Shapes
import Time

/// A command that changes settings, with the options that all of these have.
protocol ChangingCommand: DeferredCommand, CalledCommand {
    var comment: String { get set }
    /// The revision that the change is made for; nil for any.
    var base: Int? { get set }
    /// nil for the time that the settings say.
    var confirmWithinS: Int? { get set }
}

extension ChangingCommand {
    static var options: [Field<Self>] {
        [
            .option("comment", \.comment, .text(0...256), "Why the change is made, for the history."),
            .option(
                "base", \.base, .absentOr(.count),
                "Revision that the change is made for; it is refused if another one is in force."),
            .option(
                "confirmWithinS", \.confirmWithinS, .absentOr(.integer(10...3_600)),
                "Seconds in which the change has to prove itself, or is taken back; absent: as the settings say."),
        ]
    }

    /// - Parameter isTrial: whether the change is only checked.
    func terms(isTrial: Bool = false) -> SettingsTerms {
        SettingsTerms(
            comment: comment, base: base, confirmWithin: confirmWithinS.map { .seconds(Int64($0)) }, isTrial: isTrial)
    }
}
