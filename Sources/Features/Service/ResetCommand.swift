// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Shapes
import System
import Time
import Venue

struct ResetToFactory: DeferredCommand, CalledCommand {
    var confirm: String?
    var caller = Caller.service

    static let about = About(
        "factory-reset", "Make the box as it was when it left the factory",
        help: """
            The first call changes nothing: it shows what will be lost, and a code. With --confirm CODE, within 60 s, the \
            service restarts and removes it. It is the same box afterwards, with the same id and the same certificate. There \
            is no way back.
            """, role: .administrator, admission: .atBox, example: "")
    static let shape = Shape<Self>([
        .option("confirm", \.confirm, .absentOr(.text(1...16)), "The code that the first call shows.")
    ])

    func run(on service: Service, _ reply: Reply<ResetAnswer>) {
        guard let confirm else {
            do throws(Status) {
                reply(.success(try service.offerReset()))
            } catch {
                reply(.failure(error))
            }
            return
        }
        service.reset(by: caller.author, confirmedWith: confirm, reply)
    }
}

/// The code that confirms a factory reset.
struct ResetOffer: Equatable {
    static let validFor = Nanoseconds.seconds(60)

    let code: String
    private let expires: Monotonic

    /// - Parameter random: from which six digits are made.
    init(random: UInt32, now: Monotonic) {
        let digits = "\(random % 1_000_000)"
        code = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        expires = now + Self.validFor
    }

    func accepts(_ text: String, at now: Monotonic) -> Bool { text == code && now < expires }
}

struct ResetAnswer: Answer {
    struct Row: Answer {
        let what: String
        let isLost: Bool

        static let shape = Shape<Self>([
            .value("what", \.what, .text, "something that the box keeps"),
            .value("isLost", \.isLost, .boolean, "whether it will be gone"),
        ])
    }

    /// nil once it is confirmed.
    let code: String?

    private static let lost = [
        "settings, with all revisions of them", "tokens, sessions and the claim", "the audit",
        "reports that were not delivered yet", "the enrolment with its reporter", "recorded incidents",
        "everything else in the state directory",
    ]
    private static let kept = [
        "the id of the box", "its certificate, unless the settings had one", "the memory of signed orders and commands",
        "the file of settings that was installed, which is read anew", "the journal",
    ]

    private var things: [Row] {
        Self.lost.map { Row(what: $0, isLost: true) } + Self.kept.map { Row(what: $0, isLost: false) }
    }

    static let shape = Shape<Self>([
        .value("things", \.things, .list(of: .row), "what will be lost, and what stays"),
        .unlessNil("confirmation", \.code, .text, "that confirms it, for 60 s and once; absent: it is confirmed"),
        .computed("next", .text, shownAs: FieldDisplay(style: .conclusion), "what is to be done, or is happening now") {
            $0.code.map { "within 60 s: touchline factory-reset --confirm \($0)" }
                ?? "the service restarts, and removes it"
        },
    ])
}

struct ResetDone: FeatureEvent {
    let outcome: FactoryReset.Outcome

    static let about = EventAbout(
        .service, "factoryReset", "What the box had kept was removed at its start, or a part of it.")
    static let shape = Shape<Self>([
        .value("removed", \.outcome.removed, .list(of: .text), "names in the state directory"),
        .computed("why", .text, "what could not be removed, which the next start tries again; absent: it is done") {
            $0.outcome.problem.map { "\($0)" }
        },
    ])
}
