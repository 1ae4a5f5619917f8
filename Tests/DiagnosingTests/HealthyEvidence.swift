// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import Diagnosing

/// Boxes with nothing wrong.
enum HealthyEvidence {
    /// A box on a wire that plays an announced channel on a screen, with sound, and of which everything is known.
    static var usual: Evidence {
        var evidence = Evidence()
        evidence.machine.isUndervolted = false
        evidence.machine.temperature = .init(zone: "cpu-thermal", milliCelsius: 61_000, critical: 100_000)
        evidence.machine.memory = .init(available: 700 << 20, total: 1 << 30)
        evidence.machine.storages = [
            .init(path: "/var/lib/touchline", .space(available: 2 << 30)),
            .init(path: "/run/touchline", .space(available: 60 << 20)),
        ]
        evidence.network.interfaces = [wire]
        evidence.network.routed = "eth0"
        evidence.network.isJoined = true
        var announcements = Evidence.Announcements()
        announcements.groups = ["239.255.255.255:9875"]
        (announcements.listened, announcements.sinceNewest) = (600, 1)
        announcements.announcedChannels = 3
        evidence.announcements = announcements
        evidence.licence = Evidence.Licence(own: "Arena, Club, Us", missedVenue: nil)
        evidence.sessions = [channel]
        var display = Evidence.Display()
        (display.connector, display.mode, display.screen) = ("HDMI-A-1", "1920x1080@50", "TLN FHD")
        display.flips = 125
        evidence.display = display
        var sound = Evidence.Sound()
        (sound.device, sound.decoded) = ("hdmi:0", 230)
        evidence.sound = sound
        return evidence
    }

    private static var wire: Evidence.Network.Interface {
        var interface = Evidence.Network.Interface("eth0")
        (interface.speed, interface.isHalfDuplex, interface.damagedPPM) = (1_000, false, 0)
        interface.addresses = ["192.0.2.10", "fe80::1%eth0"]
        return interface
    }

    private static var channel: Evidence.Session {
        var session = Evidence.Session("One")
        (session.address, session.age, session.span) = ("239.1.1.1:5004", 300, 5)
        var reception = Evidence.Session.Reception()
        (reception.datagrams, reception.peakJitter) = (3_000, 4_000)
        session.reception = reception
        var decoding = Evidence.Session.Decoding()
        (decoding.units, decoding.pictures, decoding.shown, decoding.tier) = (125, 125, 125, 2)
        session.decoding = decoding
        return session
    }

    /// Any configuration and any figures that are as they should be.
    static func random(_ random: inout SplitMix64) -> Evidence {
        var evidence = usual
        func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        evidence.machine = machine(&random)
        network(&evidence.network, &random)
        lineUp(&evidence, &random)
        // What plays.
        switch Int.random(in: 0..<6, using: &random) {
        case 0: evidence.sessions = []
        case 1: evidence.sessions = nil
        case 2:
            var file = Evidence.Session("Film")
            (file.age, file.span, file.hasSound) = (9, 5, false)
            evidence.sessions = [file]
        case 3:
            evidence.sessions = [channel, channel, channel]
            evidence.sessions?[1].isRunning = false
            evidence.sessions?[1].decoding?.pictures = 0
            evidence.sessions?[2].hasPictures = false
            evidence.sessions?[2].decoding = nil
        case 4:
            var young = Evidence.Session("Two")
            (young.address, young.lacksPicture) = ("239.1.1.2:5004", true)
            young.age = Int64.random(in: 0...4, using: &random)
            evidence.sessions = [young]
        default: figures(&evidence, &random)
        }
        if one(in: 3) {
            evidence.display = Evidence.Display()
            evidence.display?.isWanted = false
        } else if one(in: 4) {
            evidence.display?.planeRefusal = "a plane for 1920x1080 under another one is missing"
        } else if one(in: 5) {
            evidence.display = nil
        }
        if one(in: 3) {
            evidence.sound = Evidence.Sound()
            evidence.sound?.isWanted = false
        } else {
            evidence.sound?.level = Int.random(in: 1...100, using: &random)
            evidence.sound?.underruns = one(in: 4) ? 1 : 0
        }
        return evidence
    }

    private static func machine(_ random: inout SplitMix64) -> Evidence.Machine {
        var machine = usual.machine
        if Bool.random(using: &random) { machine.isUndervolted = nil }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: machine.temperature = nil
        case 1: machine.temperature = .init(zone: "x86", milliCelsius: 45_000, critical: nil)
        default: machine.temperature?.milliCelsius = Int.random(in: 20_000...84_000, using: &random)
        }
        if Bool.random(using: &random) {
            machine.memory = .init(available: Int64.random(in: 17 << 20...900 << 20, using: &random), total: 1 << 30)
        }
        if Bool.random(using: &random) { machine.storages = nil }
        if Bool.random(using: &random) {
            machine.connectors = [.init("HDMI-A-1", isConnected: true), .init("HDMI-A-2", isConnected: false)]
        }
        return machine
    }

    private static func network(_ network: inout Evidence.Network, _ random: inout SplitMix64) {
        var radio = wire
        (radio.name, radio.isWireless, radio.speed, radio.isHalfDuplex) = ("wlan0", true, nil, nil)
        var idle = Evidence.Network.Interface("eth1")
        (idle.hasCarrier, idle.isUp) = (false, Bool.random(using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: network.interfaces = nil
        case 1:
            radio.association = .with(accessPoint: "North", signal: Int.random(in: -80 ... -30, using: &random))
            network.interfaces = [radio]
            network.routed = "wlan0"
        case 2:
            // Its driver tells nothing.
            network.interfaces = [radio]
            network.routed = nil
        case 3:
            // A wire, beside a radio that is with nobody and a socket without a cable.
            radio.association = Evidence.Network.Interface.Association.none(because: nil)
            radio.hasCarrier = false
            network.interfaces = [wire, radio, idle]
            network.routed = nil
        case 4:
            network.wanted = "eth0"
            network.interfaces = [wire, idle]
        case 5:
            // Groups of IPv6 alone.
            network.needsIPv4 = false
            network.interfaces?[0].addresses = ["2001:db8::5"]
        default: network.interfaces?[0].damagedPPM = Int.random(in: 0...900, using: &random)
        }
        if Bool.random(using: &random) { network.isJoined = nil }
    }

    private static func lineUp(_ evidence: inout Evidence, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: evidence.announcements = nil
        case 1:
            // Channels of the settings alone, and nothing to listen to.
            evidence.announcements = Evidence.Announcements()
            evidence.announcements?.ownEntries = 2
        case 2:
            // Nothing is announced that the box may have, and the settings have channels.
            evidence.announcements?.announcedChannels = 0
            evidence.announcements?.ownEntries = 1
            if Bool.random(using: &random) {
                evidence.announcements?.refusals = [
                    .init(sender: "192.0.2.77", why: "another licence", isOfLicence: true),
                    .init(sender: "192.0.2.78", why: "malformed", isOfLicence: false),
                ]
            }
        case 3:
            // The box has just started.
            evidence.announcements?.announcedChannels = 0
            evidence.announcements?.listened = 3
            evidence.announcements?.awaited = ["One"]
            if Bool.random(using: &random) {
                // The venue next door was heard first.
                evidence.announcements?.refusals = [
                    .init(sender: "192.0.2.77", why: "another licence", isOfLicence: true)
                ]
            }
        case 4:
            // The venue next door is heard as well.
            evidence.announcements?.refusals = [
                .init(sender: "192.0.2.77", why: "another licence", isOfLicence: true),
                .init(sender: "192.0.2.78", why: "malformed", isOfLicence: false),
            ]
        default: break
        }
        if Bool.random(using: &random) { evidence.licence = Evidence.Licence(own: nil, missedVenue: nil) }
    }

    private static func figures(_ evidence: inout Evidence, _ random: inout SplitMix64) {
        let repaired = Int64.random(in: 0...300, using: &random)
        evidence.sessions?[0].reception?.lostBeforeRepair = repaired
        evidence.sessions?[0].reception?.repair = repaired > 0 ? .parity : .none
        evidence.sessions?[0].reception?.lost = Int64.random(in: 0...1, using: &random)
        let pictures = Int64.random(in: 60...300, using: &random)
        evidence.sessions?[0].decoding?.units = pictures + Int64.random(in: -3...3, using: &random)
        evidence.sessions?[0].decoding?.pictures = pictures
        evidence.sessions?[0].decoding?.shown = pictures - Int64.random(in: 0...2, using: &random)
        evidence.sessions?[0].decoding?.late = Int64.random(in: 0...9, using: &random)
        evidence.sessions?[0].decoding?.tier = Int64.random(in: 1...2, using: &random)
        evidence.sessions?[0].decoding?.ladderStep = Int64.random(in: 0...2, using: &random)
        evidence.sessions?[0].decoding?.errors = Int64.random(in: 0...5, using: &random)
    }
}
