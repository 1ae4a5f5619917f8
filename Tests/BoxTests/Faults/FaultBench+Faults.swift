// SPDX-License-Identifier: Apache-2.0
import JSON
import Network
import System
import TestSupport
import Time

/// The faults, one by one. Each is taken back before its function returns.
extension FaultBench {
    /// - Parameters:
    ///   - faults: each begins while the one before it lasts.
    ///   - mustPlay: whether pictures go on with those before.
    /// - Returns: whether pictures came while they lasted, if they had to.
    func perform(_ faults: ArraySlice<Fault>, mustPlay: Bool = true) throws -> Bool {
        guard let fault = faults.first else { return true }
        let (rest, mustPlay) = (faults.dropFirst(), mustPlay && fault.isPlayedThrough)
        var (isPlayed, isNext) = (true, !rest.isEmpty)
        func last(_ range: ClosedRange<Int64>) throws {
            guard !isNext else {
                isNext = false
                pause(50...300)
                if try !perform(rest, mustPlay: mustPlay) { isPlayed = false }
                return
            }
            pause(range)
            if mustPlay, try timeToPicture() == nil { isPlayed = false }
        }
        switch fault {
        case .decoderSwallows, .decoderHangs, .decoderHangsInRetunes, .decoderFails, .decoderGone:
            try performDecoder(fault, last)
        case .screenLosesFlips, .screenLosesModeset, .screenRefuses, .screenUnplugged, .screenGone, .screenLinkBad:
            try performScreen(fault, last)
        case .soundRunsDry, .soundFreezes, .soundGone, .wallClockForth, .wallClockBack:
            try performClock(fault, last)
        case .flood, .foreignStream, .senderSilent, .senderGone, .sourceChanges, .timeForth, .timeBack, .codecChanges,
            .codecChangesOften, .sizeChanges, .scrambled, .noTables:
            try performSender(fault, last)
        case .bare, .cutPackets, .countersRaised, .soundLeftOut, .soundLater, .mapOverruns, .oddPrefixes,
            .stampsLeftOut:
            try performMultiplexer(fault, last)
        case .burstLoss, .independentLoss, .reordering, .duplicates, .corruption, .delay, .linkDown, .linkFlaps:
            try performNetwork(fault, last)
        case .playedIsWithdrawn, .forgedDeletions, .forgedAnnouncements: try performAnnouncement(fault, last)
        case .halfLines, .followersThatDoNotRead, .viewersReset, .followersReset: try performClient(fault, last)
        case .delaySetting, .sizeSetting, .damageSetting, .decodingSetting, .soundSetting, .channelSetting,
            .interfaceSetting:
            try performSetting(fault, last)
        case .channelChanges, .rewinds, .pauses, .longPause, .file, .missingFile, .layouts, .regions, .texts,
            .screenshots:
            try performCommand(fault, last)
        }
        // Those that do not last are over by now.
        if isNext, try !perform(rest) { isPlayed = false }
        return isPlayed
    }

    typealias Last = (ClosedRange<Int64>) throws -> Void

    // MARK: Devices

    private func performDecoder(_ fault: Fault, _ last: Last) throws {
        try playAnew()
        defer { device.mode.set(.works) }
        switch fault {
        case .decoderSwallows: device.mode.set(.swallows)
        case .decoderFails: device.mode.set(.fails)
        case .decoderGone: device.mode.set(.isGone)
        default: device.mode.set(.hangs)
        }
        try last(200...1_000)
        if fault == .decoderHangsInRetunes {
            for _ in 0..<2 { try tune("Two"); try tune("One") }
            pause(100...500)
        }
    }

    private func performScreen(_ fault: Fault, _ last: Last) throws {
        let many = Int.random(in: 1...6, using: &random)
        switch fault {
        case .screenLosesFlips: screen.change { $0.lostFlips = many }
        case .screenRefuses: screen.change { $0.refusedCommits = many }
        case .screenLinkBad: screen.change { $0.isLinkBad = true }
        case .screenLosesModeset:
            screen.change {
                $0.lostFlips = 1
                $0.lostModesets = 1
            }
        case .screenUnplugged: screen.change { $0.isConnected = false }
        default: screen.change { $0.remove() }
        }
        try last(100...1_500)
        screen.change { state in
            if fault == .screenUnplugged { (state.isConnected, state.isLinkBad, state.isSilent) = (true, true, true) }
            (state.isGone, state.lostFlips, state.lostModesets, state.refusedCommits) = (false, 0, 0, 0)
        }
    }

    private func performClock(_ fault: Fault, _ last: Last) throws {
        let step = Nanoseconds.milliseconds(Int64.random(in: 2...5_000, using: &random))
        switch fault {
        case .soundRunsDry: soundFault.set(.runsDry)
        case .soundFreezes: soundFault.set(.freezes)
        case .soundGone: soundFault.set(.isGone)
        case .wallClockForth: wallClock.set(wallClock.value.stepped(by: step, at: SystemClock.wall()))
        default: wallClock.set(wallClock.value.stepped(by: -step, at: SystemClock.wall()))
        }
        defer { soundFault.set(nil) }
        try last(100...1_500)
    }

    // MARK: Streams

    private func performSender(_ fault: Fault, _ last: Last) throws {
        let number = random.next()
        let film = Int.random(in: 1..<Self.films.count, using: &random)
        switch fault {
        case .flood: try flood()
        case .foreignStream:
            let foreign = try FaultySender(port: port, [LoopedFilm(Self.films[film], version: 9)])
            defer { foreign.stop() }
            foreign.change { $0.source = UInt32(truncatingIfNeeded: number) }
            try last(300...1_000)
        case .senderSilent: one.change { $0.isSilent = true }
        case .senderGone:
            one.change { $0.isSilent = true }
            try last(2_500...4_000)
        case .sourceChanges: one.change { $0.source = UInt32(truncatingIfNeeded: number) }
        case .timeForth: one.change { $0.ahead += Int64(number % 90_000) }
        case .timeBack: one.change { $0.ahead -= Int64(number % 90_000) }
        case .codecChanges: one.change { $0.film = film }
        case .sizeChanges:
            let film = Self.films.count + Int(number % 2)
            one.change { $0.film = film }
        case .codecChangesOften:
            for _ in 0..<4 {
                let film = Int.random(in: Self.films.indices, using: &random)
                one.change { $0.film = film }
                pause(50...500)
            }
        case .scrambled: one.change { $0.isScrambled = true }
        default:
            one.change { $0.hasTables = false }
            try tune("Two")
            try tune("One")
        }
        if fault != .flood, fault != .foreignStream { try last(200...1_200) }
        one.change { ($0.film, $0.isSilent, $0.isScrambled, $0.hasTables) = (0, false, false, true) }
    }

    /// What other head-ends send than ffmpeg: all of it can be played.
    private func performMultiplexer(_ fault: Fault, _ last: Last) throws {
        one.change { conditions in
            switch fault {
            case .bare: conditions.isBare = true
            case .cutPackets: (conditions.isBare, conditions.cutLength) = (true, 1_472)
            case .countersRaised: conditions.habits = .raisesCounters
            case .soundLeftOut: conditions.habits = .leavesSoundOut
            case .soundLater: conditions.habits = .sendsSoundLater
            case .mapOverruns: conditions.habits = .overrunsMap
            case .oddPrefixes: conditions.habits = .setsOddPrefixes
            default: conditions.habits = .stampsPointsAlone
            }
        }
        try last(500...3_000)
        one.change { ($0.isBare, $0.cutLength, $0.habits) = (false, nil, []) }
    }

    /// Small datagrams as fast as they go.
    private func flood() throws {
        let socket = try DatagramSocket(sendingTo: FaultySender.group, port: port, interface: "lo")
        let octets = (0..<100).map { _ in UInt8.random(in: 0...255, using: &random) }
        let end = SystemClock.monotonic() + .milliseconds(Int64.random(in: 200...800, using: &random))
        while SystemClock.monotonic() < end {
            // What the interface does not take is no flood.
            for _ in 0..<64 { octets.withUnsafeBytes { try? socket.send($0) } }
        }
    }

    private func performNetwork(_ fault: Fault, _ last: Last) throws {
        if fault == .linkDown || fault == .linkFlaps { return try performLink(fault) }
        let (seed, share) = (random.next(), Double.random(in: 0.05...0.4, using: &random))
        one.change { conditions in
            conditions.seed = seed
            switch fault {
            case .burstLoss: (conditions.network.loss, conditions.network.meanBurst) = (share, 8)
            case .independentLoss: conditions.network.loss = share
            case .reordering: conditions.network.reorder = share
            case .duplicates: conditions.network.duplicate = share
            case .corruption: conditions.network.corrupt = share
            default: (conditions.network.delay, conditions.network.jitter) = (.milliseconds(50), .milliseconds(40))
            }
        }
        try last(300...1_500)
        one.change { $0.network = .init() }
    }

    private func performLink(_ fault: Fault) throws {
        for _ in 0..<(fault == .linkDown ? 1 : 3) {
            OwnNetwork.shell("ip link set lo down")
            pause(50...(fault == .linkDown ? 1_500 : 300))
            OwnNetwork.shell("ip link set lo up")
            if fault == .linkFlaps { pause(50...300) }
        }
    }

    // MARK: Others

    private func performAnnouncement(_ fault: Fault, _ last: Last) throws {
        switch fault {
        case .playedIsWithdrawn:
            // A channel that is withdrawn stays while it is received.
            try tune("Three")
            _ = try timeToPicture(within: .seconds(3), of: "Three")
            try announcer.withdraw()
            two.change { $0.isSilent = true }
            pause(200...1_200)
            two.change { $0.isSilent = false }
            announcer.announce()
            try tune("One")
        case .forgedDeletions:
            for number in 0..<50 {
                try announce(.deletion, ["One", "Two", "Three"][number % 3], 7, port: port, from: "10.9.8.\(number)")
            }
            try last(100...500)
        default:
            for number in 0..<300 {
                let name = number % 3 == 0 ? "One" : "Forged \(random.next())"
                try announce(
                    .announcement, name, Int64(100 + number), port: port, from: "10.9.\(number % 4).\(number % 200)")
            }
            try last(100...500)
        }
    }

    private func performClient(_ fault: Fault, _ last: Last) throws {
        // Each asks for some milliseconds of the control loop.
        let many = Int.random(in: 1...8, using: &random)
        var clients: [RawClient] = []
        for number in 0..<many {
            let client: RawClient
            switch fault {
            case .halfLines:
                client = try RawClient(socket: box.socket)
                client.send(number % 2 == 0 ? "{\"id\":1,\"comm" : "")
            case .followersThatDoNotRead:
                client = try RawClient(socket: box.socket)
                client.send("{\"id\":1,\"command\":\"events\",\"arguments\":{\"follow\":true}}\n")
                for id in 2..<10 { client.send("{\"id\":\(id),\"command\":\"stats\",\"arguments\":{}}\n") }
            case .viewersReset:
                client = try RawClient(port: httpPort)
                client.resetAtEnd()
                client.send("GET /v1/picture?fps=25 HTTP/1.1\r\nHost: 127.0.0.1:\(httpPort)\r\n\r\n")
            default:
                client = try RawClient(port: httpPort)
                client.resetAtEnd()
                client.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(httpPort)\r\n\r\n")
            }
            clients.append(client)
        }
        try last(100...800)
        clients = []
    }

    private func performSetting(_ fault: Fault, _ last: Last) throws {
        let patch: JSONValue
        switch fault {
        case .delaySetting:
            patch = ["playback": ["playoutDelayMs": .integer(Int64.random(in: 100...900, using: &random))]]
        case .sizeSetting: patch = ["output": ["width": .integer(random.percent(50) ? 240 : 480)]]
        case .damageSetting: patch = ["playback": ["damage": "hold"]]
        case .decodingSetting: patch = ["playback": ["decoding": "software"]]
        case .soundSetting: patch = ["sound": ["kind": "null"]]
        case .interfaceSetting: patch = ["network": ["interface": .string(FaultBench.otherInterface)]]
        default: patch = ["channels": []]
        }
        let before = Self.settings(port: port)
        _ = try box.merge(patch)
        try last(50...500)
        _ = try box.merge([
            "playback": ["playoutDelayMs": 200, "damage": .null, "decoding": .null], "output": ["width": 320],
            "sound": ["kind": "alsa"], "network": ["interface": "lo"], "channels": before["channels"] ?? [],
        ])
        if fault == .channelSetting { try tune("One") }
    }

    private func performCommand(_ fault: Fault, _ last: Last) throws {
        let many = Int.random(in: 2...8, using: &random)
        switch fault {
        case .channelChanges:
            for number in 0..<many {
                try tune(number % 2 == 0 ? "Two" : "One")
                pause(0...200)
            }
            try tune("One")
        case .rewinds:
            for _ in 0..<many {
                _ = try box.answer("rewind", "\(Int.random(in: 100...9_000, using: &random))")
                pause(0...200)
            }
            _ = try box.answer("live")
        case .pauses:
            for _ in 0..<many {
                _ = try box.answer("pause")
                pause(0...300)
                _ = try box.answer("play")
                pause(0...100)
            }
            _ = try box.answer("live")
        case .longPause:
            // For longer than the history: it goes on at the oldest picture that is kept.
            _ = try box.answer("pause")
            pause(10_200...11_500)
            _ = try box.answer("play")
        case .file:
            _ = try box.answer("playlist", "Clip")
            _ = try box.answer("play")
            pause(100...800)
            try tune("One")
        case .missingFile:
            _ = try box.answer("playlist", "Nothing")
            pause(100...800)
            try tune("One")
        case .regions:
            _ = try box.answer("layout", "quad")
            for region in ["second", "third", "fourth"].prefix(many) {
                _ = try box.answer("tune", random.percent(50) ? "One" : "Two", "--region", region)
                pause(0...300)
            }
            try last(0...500)
            _ = try box.answer("layout", "full")
        case .texts:
            for number in 0..<many {
                _ = try box.answer("message", "Message \(number)")
                _ = try box.answer("ticker", "Ticker \(number)")
                pause(0...200)
            }
            try last(0...200)
        case .layouts:
            for _ in 0..<many {
                _ = try box.answer("layout", random.percent(50) ? "quad" : "full")
                pause(0...200)
            }
            _ = try box.answer("layout", "full")
            try last(0...200)
        default:
            for _ in 0..<many { _ = try box.answer("screenshot") }
            try last(0...100)
        }
    }
}
