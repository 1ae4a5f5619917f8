// SPDX-License-Identifier: Apache-2.0
import Commands
import Scene
import Shapes
import Time

/// How a command asks for one layout to become the next.
enum TransitionKind: String, Sendable, CaseIterable { case cut, fade }

extension Field where Root: Record {
    static func transition(_ path: Path<TransitionKind?>) -> Field {
        .option(
            "transition", path, .absentOr(.choice), "From what is shown now; absent: as output.transitionMs.")
    }

    static func duration(_ path: Path<Int64?>) -> Field {
        .option("durationMs", path, .absentOr(.integer(0...5_000)), "Of the fade.")
    }
}

extension Layouts {
    /// - Parameters:
    ///   - kind: nil if the command does not say it.
    ///   - milliseconds: of the fade; nil if the command does not say it.
    ///   - standard: used if neither is given; nil for the transition of the settings.
    func transition(
        _ kind: TransitionKind?, _ milliseconds: Int64?, else standard: StageTransition? = nil
    ) -> StageTransition {
        let given = milliseconds.map { Nanoseconds.milliseconds($0) }
        let usual = settings.output.transition
        switch (kind, given) {
        case (.cut, _): return .cut
        case (nil, nil): return standard ?? (usual > .zero ? .crossFade(usual) : .cut)
        default:
            let span = given ?? (usual > .zero ? usual : .milliseconds(250))
            return span > .zero ? .crossFade(span) : .cut
        }
    }
}
