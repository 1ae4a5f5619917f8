// SPDX-License-Identifier: Apache-2.0
import Venue

@testable import Diagnosing

/// One thing that is wrong with a healthy box, and the link that is to be named for it.
struct StagedFault: Sendable, CustomStringConvertible {
    /// What can be wrong in one way at a time only.
    enum Subject: Sendable { case wire, lineUp, absence, display }

    let description: String
    let link: ChainLink
    let subject: Subject?
    let isDoubt: Bool
    let apply: @Sendable (inout Evidence) -> Void

    init(
        _ link: ChainLink, _ description: String, _ subject: Subject? = nil, isDoubt: Bool = false,
        _ apply: @escaping @Sendable (inout Evidence) -> Void
    ) {
        (self.link, self.description, self.subject, self.isDoubt) = (link, description, subject, isDoubt)
        self.apply = apply
    }

    /// In the order of the chain.
    static let all = ofMachine + ofNetwork + ofLineUp + ofSessions + ofOutput

    private static let ofMachine = [
        StagedFault(.power, "undervolted") { $0.machine.isUndervolted = true },
        StagedFault(.processor, "hot") {
            $0.machine.temperature = .init(zone: "cpu", milliCelsius: 99_000, critical: 100_000)
        },
        StagedFault(.processor, "warm", isDoubt: true) {
            $0.machine.temperature = .init(zone: "cpu", milliCelsius: 88_000, critical: 100_000)
        },
        StagedFault(.processor, "no memory") { $0.machine.memory = .init(available: 5 << 20, total: 1 << 30) },
        StagedFault(.storage, "full") { $0.machine.storages = [.init(path: "/var/lib/touchline", .isFull)] },
        StagedFault(.storage, "read-only") { $0.machine.storages = [.init(path: "/var/lib/touchline", .isReadOnly)] },
        StagedFault(.storage, "silent") { $0.machine.storages = [.init(path: "/var/lib/touchline", .isSilent)] },
        StagedFault(.service, "not running") { $0.service = .isNotRunning(socket: "/run/touchline/control.sock") },
        StagedFault(.service, "silent service") { $0.service = .isSilent(socket: "/run/touchline/control.sock") },
        StagedFault(.service, "refuses") { $0.service = .refuses(socket: "/run/touchline/control.sock") },
        StagedFault(.service, "odd") { $0.service = .isOdd("what answers is not touchlined") },
    ]

    private static let ofNetwork = [
        StagedFault(.display, "unplugged", .display) { $0.display?.connector = nil },
        StagedFault(.display, "at another connector", .display) { evidence in
            evidence.display?.connector = nil
            evidence.display?.wanted = "HDMI-A-2"
            evidence.machine.connectors = [
                .init("HDMI-A-1", isConnected: true), .init("HDMI-A-2", isConnected: false),
            ]
        },
        StagedFault(.display, "no card", .display) { evidence in
            evidence.display?.connector = nil
            evidence.display?.problem = "there is no card"
        },
        StagedFault(.link, "another name", .wire) { $0.network.wanted = "eth7" },
        StagedFault(.link, "switched off", .wire) { $0.change { $0.isUp = false } },
        StagedFault(.link, "no carrier", .wire) { $0.change { $0.hasCarrier = false } },
        StagedFault(.link, "half duplex", .wire, isDoubt: true) { $0.change { $0.isHalfDuplex = true } },
        StagedFault(.link, "damaged packets", .wire, isDoubt: true) { $0.change { $0.damagedPPM = 20_000 } },
        StagedFault(.association, "not associated", .wire) { evidence in
            evidence.change { interface in
                (interface.isWireless, interface.hasCarrier) = (true, false)
                interface.association = Evidence.Network.Interface.Association.none(because: "4 (inactivity)")
            }
        },
        StagedFault(.association, "weak", .wire, isDoubt: true) { evidence in
            evidence.change { interface in
                interface.isWireless = true
                interface.association = .with(accessPoint: "North", signal: -88)
            }
        },
        StagedFault(.address, "none") { $0.change { $0.addresses = ["fe80::1"] } },
        StagedFault(.address, "its own") { $0.change { $0.addresses = ["169.254.3.4"] } },
        StagedFault(.address, "silent router", isDoubt: true) { $0.network.silentGateway = "192.0.2.1" },
        StagedFault(.multicast, "not joined") { evidence in
            evidence.network.isJoined = false
            evidence.network.joinFailures = ["join 239.1.1.1 failed: no route"]
        },
        StagedFault(.multicast, "joined by IPv6 alone", .lineUp) { evidence in
            evidence.network.joinFailures = ["join ff0e::1 failed: no route", "join 239.1.1.1 failed: no route"]
            evidence.announcements?.announcedChannels = 0
            evidence.announcements?.refusals = []
        },
    ]

    private static let ofLineUp = [
        StagedFault(.announcements, "nothing", .lineUp) { evidence in
            evidence.announcements?.announcedChannels = 0
            evidence.announcements?.refusals = []
        },
        StagedFault(.announcements, "refused", .lineUp) { evidence in
            evidence.announcements?.announcedChannels = 0
            evidence.announcements?.refusals = [.init(sender: "192.0.2.9", why: "malformed", isOfLicence: false)]
        },
        StagedFault(.announcements, "another channel", .lineUp) { $0.announcements?.awaited = ["Nine"] },
        StagedFault(.licence, "another venue", .lineUp) { evidence in
            evidence.announcements?.announcedChannels = 0
            evidence.announcements?.refusals = [.init(sender: "192.0.2.9", why: "licence", isOfLicence: true)]
        },
        StagedFault(.licence, "locked") { $0.licence?.missedVenue = "Arena" },
    ]

    private static func absence(_ link: ChainLink, _ absence: PictureAbsence) -> StagedFault {
        StagedFault(link, absence.text, .absence) { evidence in
            evidence.sessions?[0].absence = absence
            evidence.sessions?[0].lacksPicture = true
        }
    }

    private static let ofSessions = [
        absence(.stream, .nothingArrives), absence(.stream, .otherPayloadType), absence(.stream, .noTransportStream),
        absence(.stream, .noProgram), absence(.stream, .programMissing("7", listed: "1")), absence(.stream, .scrambled),
        absence(.stream, .noEntryPoint), absence(.stream, .noParameterSets), absence(.stream, .heldBack),
        StagedFault(.stream, "failed", .absence) { $0.sessions?[0].failure = "there is no such file" },
        StagedFault(.stream, "two senders", isDoubt: true) {
            $0.sessions?[0].senders = "10.0.0.1:5000, which is played, and 10.0.0.2:5000"
        },
        StagedFault(.repair, "loss") { $0.sessions?[0].reception?.lost = 200 },
        StagedFault(.repair, "some loss", isDoubt: true) { $0.sessions?[0].reception?.lost = 4 },
        StagedFault(.repair, "loss beyond repair") { evidence in
            evidence.sessions?[0].reception?.lost = 200
            evidence.sessions?[0].reception?.repair = .windows
        },
        absence(.decoder, .codec("vc1")), absence(.decoder, .undecodable),
        StagedFault(.decoder, "unplayed", .absence) { $0.sessions?[0].unplayedVideo = "vc1 on PID 256" },
        StagedFault(.decoder, "too much", isDoubt: true) { $0.sessions?[0].decoding?.ladderStep = 4 },
        StagedFault(.decoder, "restarts", isDoubt: true) { $0.sessions?[0].decoding?.restarts = 2 },
    ]

    private static let ofOutput = [
        StagedFault(.plane, "refused", .display) { evidence in
            evidence.display?.flips = 0
            evidence.display?.refusedCommits = 50
        },
        StagedFault(.plane, "flips lost", .display) { evidence in
            evidence.display?.flips = 0
            evidence.display?.lostFlips = 5
        },
        StagedFault(.plane, "late", .absence, isDoubt: true) { $0.sessions?[0].decoding?.late = 120 },
        StagedFault(.sound, "no card") { evidence in
            evidence.sound?.device = nil
            evidence.sound?.problem = "no such device"
        },
        StagedFault(.sound, "muted", isDoubt: true) { $0.sound?.isMuted = true },
        StagedFault(.sound, "volume 0", isDoubt: true) { $0.sound?.level = 0 },
        StagedFault(.sound, "undecodable sound") { evidence in
            evidence.sound?.decoded = 0
            evidence.sound?.decodeErrors = 100
        },
        StagedFault(.sound, "underruns", isDoubt: true) { $0.sound?.underruns = 9 },
    ]
}

extension Evidence {
    /// Changes each interface.
    fileprivate mutating func change(_ body: (inout Network.Interface) -> Void) {
        network.interfaces = network.interfaces.map { all in
            all.map { interface in
                var changed = interface
                body(&changed)
                return changed
            }
        }
    }
}
