// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct Restart: Command, CalledCommand {
    var caller = Caller.service

    static let about = About(
        "restart", "End the service in good order and have it start anew",
        help: """
            Picture and sound are gone for a moment. Changes of the settings that are not confirmed yet are taken back by \
            it. systemd starts the service again; more than six starts in two minutes end in the slate, which tries again \
            after a while.
            """, role: .administrator)
    static let shape = Shape<Self>()

    func run(on service: Service) throws(Status) -> Done {
        service.restart(because: .command, by: caller.author)
        return Done()
    }
}

struct RestartLater: Command, CalledCommand {
    var minutes: Int?
    var caller = Caller.service

    static let about = About(
        "restart-in", "Restart the service in some minutes, unless it is cancelled",
        help: """
            Give it before a change that may cut you off. Until then each change of the settings is in force, and is not \
            confirmed by itself: the restart, or a power cut before it, brings back the settings that were there. \
            config-confirm keeps the changes so far; restart-cancel lets them prove themselves as usual. Without MINUTES it \
            shows what is scheduled. It is forgotten when the service starts.
            """, role: .administrator)
    static let shape = Shape<Self>([
        .optionalArgument(
            "minutes", \.minutes, .absentOr(.integer(1...1_440)),
            "Minutes from now; a restart that was scheduled before gives way. Absent: show it.")
    ])

    func run(on service: Service) throws(Status) -> ScheduledRestart {
        guard let minutes else { return try service.scheduledRestart() }
        return service.scheduleRestart(in: minutes, by: caller.author)
    }
}

struct CancelRestart: Command, CalledCommand {
    var caller = Caller.service

    static let about = About("restart-cancel", "Cancel the restart that is scheduled", role: .administrator)
    static let shape = Shape<Self>()

    func run(on service: Service) throws(Status) -> Done {
        try service.cancelRestart(by: caller.author)
        return Done()
    }
}
