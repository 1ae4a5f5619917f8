// SPDX-License-Identifier: Apache-2.0
import Codecs
import Reception
import Settings
import Time
import Venue

/// What of the settings decides whether open sessions have to be opened again.
extension OpenSessions {
    /// What is received now is not kept for sessions that open from now on.
    func receiveAnew() {
        generation += 1
        kept.dropAll()
    }

    /// What a receiver is made with.
    struct Reception: Equatable {
        let interface: String?
        let rejoinWait, longestRejoinWait, sourceFailover: Nanoseconds
        let findsParity: Bool
        let monitor: MonitorLimits
        let delay, history: Nanoseconds
        let historyLimit: Int

        init(_ settings: Settings) {
            let network = settings.network
            interface = network.interface
            (rejoinWait, longestRejoinWait) = (network.rejoinWait, network.longestRejoinWait)
            (sourceFailover, findsParity) = (network.sourceFailover, network.findsParity)
            monitor = settings.monitor
            (delay, history) = (settings.playback.playoutDelay, settings.playback.history)
            historyLimit = settings.playback.historyLimitOctets
        }
    }

    /// What else a session is made with.
    struct Decoding: Equatable {
        let startPolicy: Settings.Playback.StartPolicy
        let damage: Settings.Playback.Damage
        let decoding: Settings.Playback.Decoding

        init(_ settings: Settings) {
            (startPolicy, damage) = (settings.playback.startPolicy, settings.playback.damage)
            decoding = settings.playback.decoding
        }
    }
}

extension ChannelMembership.Options {
    init(_ network: Settings.Network) {
        self.init()
        silence = SilenceWatch.Waits(first: network.rejoinWait, longest: network.longestRejoinWait)
        failover = network.sourceFailover
    }
}

extension DecodingLadder.Choice {
    init(_ decoding: Settings.Playback.Decoding) {
        self =
            switch decoding {
            case .automatic: .auto
            case .hardware: .hardware
            case .software: .software
            }
    }
}
