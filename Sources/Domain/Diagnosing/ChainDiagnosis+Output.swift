// SPDX-License-Identifier: Apache-2.0

/// Screen and sound.
extension ChainDiagnosis {
    // MARK: Screen

    static func display(_ display: Evidence.Display?, _ connectors: [Evidence.Machine.Connector]?) -> LinkFinding {
        guard let display else { return seen(connectors) }
        guard display.isWanted else { return .unused(.display, "the settings want no screen (output.kind)") }
        if let connector = display.connector {
            let mode = display.mode.map { " at \($0)" } ?? ""
            return .fine(.display, "\(connector) shows \(display.screen ?? "the stage")\(mode)")
        }
        // Only a screen that is connected is given pictures; what the card says of them is another link.
        if display.refusedCommits > 0 { return .fine(.display, "a screen is connected") }
        if let connectors, !connectors.isEmpty {
            let plugged = connectors.filter(\.isConnected).map(\.name)
            if let wanted = display.wanted, !plugged.contains(wanted), !plugged.isEmpty {
                return .broken(
                    .display,
                    "no screen is at \(wanted), which output.connector names; there is one at "
                        + plugged.joined(separator: ", "), try: "plug it in at \(wanted), or set output.connector")
            }
            if plugged.isEmpty { return unplugged(connectors) }
            return .broken(
                .display, "a screen is at \(plugged.joined(separator: ", ")), and it does not show the stage",
                try: "see touchline log; another program may have the card")
        }
        if let problem = display.problem {
            return .broken(
                .display, "the output cannot be opened: \(problem)",
                try: "look for the driver of the card: touchline log --kernel")
        }
        return .broken(.display, "no screen is connected", try: Self.plugIn)
    }

    private static let plugIn = "switch the screen on, plug in its cable at both ends, and choose its input"

    /// What is known without the service.
    private static func seen(_ connectors: [Evidence.Machine.Connector]?) -> LinkFinding {
        guard let connectors, !connectors.isEmpty else { return .unknown(.display, "no graphics card is seen") }
        let plugged = connectors.filter(\.isConnected).map(\.name)
        return plugged.isEmpty
            ? unplugged(connectors) : .fine(.display, "a screen is at \(plugged.joined(separator: ", "))")
    }

    private static func unplugged(_ connectors: [Evidence.Machine.Connector]) -> LinkFinding {
        .broken(
            .display, "no screen is connected at \(connectors.map(\.name).joined(separator: ", "))", try: plugIn)
    }

    static func plane(_ display: Evidence.Display?, _ sessions: [Evidence.Session]?) -> LinkFinding {
        guard let display, let sessions else { return .unknown(.plane, "what is shown is not known") }
        if display.isWanted, display.refusedCommits > 0, display.flips == 0 {
            return .broken(
                .plane, "the card refused all of \(display.refusedCommits) pictures",
                try: "set output.planes to false and output.mode to one of the screen's; see touchline log --kernel")
        }
        if display.isWanted, display.lostFlips > 0, display.flips == 0 {
            return .broken(
                .plane, "the card does not finish to show a picture (\(display.lostFlips) lost)",
                try: "restart the box; see touchline log --kernel for the card's driver")
        }
        guard !sessions.isEmpty else { return .unused(.plane, "nothing is tuned") }
        let way = display.planeRefusal.map { "composed (\($0))" } ?? "shown as they come"
        for session in sessions where session.isRunning && session.hasPictures {
            guard let decoding = session.decoding, session.span > 0, decoding.pictures > 0 else { continue }
            if decoding.shown == 0, session.lacksPicture, !display.isWanted || display.connector != nil {
                return .broken(
                    .plane, "\(session.name): \(decoding.pictures) pictures were decoded, and none is shown",
                    try: "see touchline stats: stage and screen; restart the service")
            }
            if decoding.late > decoding.shown / 2, decoding.shown > 0 {
                return .doubtful(
                    .plane,
                    "\(session.name): \(decoding.late) pictures came too late, \(decoding.shown) in time; "
                        + "pictures are \(way)", try: "make the stage smaller (output), or show fewer regions")
            }
        }
        return .fine(.plane, "pictures are \(way)")
    }

    // MARK: Sound

    static func sound(_ sound: Evidence.Sound?, _ sessions: [Evidence.Session]?) -> LinkFinding {
        guard let sound else { return .unknown(.sound, "the output of sound is not known") }
        guard sound.isWanted else { return .unused(.sound, "the settings want none (sound.kind)") }
        guard let device = sound.device else {
            let why = sound.problem.map { ": \($0)" } ?? ""
            return .broken(
                .sound, "no output of sound is open\(why)",
                try: "plug the card in, or set sound.device to one that aplay -L lists")
        }
        if sound.isMuted {
            return .doubtful(.sound, "it is muted (by command or sound.muted)", try: "touchline mute off")
        }
        if sound.level == 0 { return .doubtful(.sound, "the volume is 0", try: "touchline volume 50") }
        guard let sessions, sessions.contains(where: \.hasSound) else {
            return .fine(.sound, "\(device), volume \(sound.level); nothing that plays has sound")
        }
        if sound.decoded == 0, sound.decodeErrors > 0 {
            return .broken(
                .sound, "none of \(sound.decodeErrors) units of sound can be decoded",
                try: "choose another one: touchline audio; look at the encoder")
        }
        if sound.underruns > 1 {
            return .doubtful(
                .sound, "\(device) ran dry \(sound.underruns) times in the last seconds",
                try: "see what else takes the processor")
        }
        return .fine(.sound, "\(device), volume \(sound.level)")
    }
}
