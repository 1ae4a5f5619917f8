// SPDX-License-Identifier: Apache-2.0
import Access
import Audio
import Capture
import Channels
import Commands
import Configuration
import Control
import DataChannels
import Decoders
import Diagnosis
import Endpoint
import Enrolling
import Forwarding
import GroupCommands
import Health
import Hosting
import Journal
import Layouts
import LineUp
import Links
import Mixing
import Monitoring
import NetworkSetup
import NetworkTrace
import OnScreenDisplay
import Overview
import Playback
import Presentation
import Probe
import Provisioning
import Push
import Radios
import Reception
import Recorder
import Recording
import Reporting
import Scene
import Service
import Settings
import Statistics
import SyslogForwarding
import System
import Telemetry
import TestSignals
import Tuning
import WiFi

extension Box {
    /// Leads from the features to the control plane, which is created after them.
    final class LateControlPlane {
        weak var control: ControlPlane?
        weak var web: WebEndpoint?
    }

    /// Everything that the features of a box ask for.
    static func context(
        _ start: SettingsStart, _ options: BoxOptions, _ identity: BoxIdentity, _ loop: EventLoop, _ journal: Journal,
        _ lines: LogFollower, _ later: LateControlPlane, _ state: Service.State
    ) -> FeatureContext {
        let settings = start.store.running.settings
        var context = FeatureContext(
            loop: loop, journal: journal, statistics: StatisticRegistry(), settings: start.store
        ) { later.control?.emit($0, $1, $2) }
        context.provide(settings)
        context.provide(start.refusals)
        context.provide(EventSignal())
        context.provide(LineUpView(LineUp(settings: LineUpSettings(settings))))
        context.provide(NowNextView())
        context.provide(ProgramView())
        context.provide(HealthView())
        context.provide(RadioView())
        context.provide(NetworkDebugWindow())
        let regions = RegionDirectory(PlaybackPolicy(settings), sessionLimit: settings.playback.sessionLimit)
        regions.bandwidthLimitKbps = settings.playback.bandwidthLimitKbps
        context.provide(regions)
        let mix = RegionSound(level: settings.sound.volume, isMuted: settings.sound.isMuted)
        let sounds = RegionSounds(mix: mix, main: RegionPlayer.main)
        context.provide(sounds)
        context.provide(identity)
        context.provide(LocalZone(settings.screenText.timeZone))
        context.provide(DisplayedClock(isSynchronised: options.clock.isSynchronised))
        context.provide(TimelineView())
        provideSignedThings(to: &context, options, later)
        context.provide(ClaimNotice())
        context.provide(
            Access.Sources(
                directory: options.stateDirectory, wall: { max(SystemClock.wall(), ProgramFile.built) },
                isClockSet: options.clock.isSynchronised,
                fingerprint: {
                    later.control.map { $0.features[Endpoint.self] }.flatMap { endpoint in
                        endpoint.securePort.map { _ in endpoint.fingerprint }
                    }
                },
                isReachable: { later.control?.features[Endpoint.self].isReachable ?? false },
                httpRole: { [store = start.store] in store.running[HTTPSettings.self].role },
                changed: { later.web?.admitAgain() }))
        context.provide(
            NetworkSetup.Sources(
                helper: options.networkHelper, devices: options.networkDevices, clock: { SystemClock.state }))
        context.provide(Capture.Sources(helper: options.captureHelper))
        context.provide(ReportSections())
        context.provide(
            Telemetry.Sources(
                directory: options.stateDirectory + "/spool", identity: options.stateDirectory + "/reporter",
                clock: { [isSet = options.clock.isSynchronised] in
                    Moment(SystemClock.monotonic(), isSet() ? SystemClock.wall() : nil)
                },
                events: { later.control?.eventLog.events(after: $0, atMost: $1) ?? (0, []) }))
        provideRecorder(to: &context, options, later)
        context.provide(SyslogForwarding.Source(follower: lines, box: identity.id))
        var decoders = Decoders.Sources(boards: options.boards, machine: options.machine, look: options.decoders)
        decoders.opener = options.decoderOpener
        context.provide(decoders)
        context.provide(
            Probe.Sources(decoder: { codec, width, height in
                later.control?.features[Decoders.self].decoder(of: codec, width: width, height: height)
            }))
        context.provide(options.devices)
        context.provide(
            Overview.Sources(
                boxID: identity.id, volume: { (sounds.mix.level, sounds.mix.isMuted) },
                layout: { later.control?.features[Layouts.self].shownName ?? "" },
                isStageActive: { later.control?.features[Layouts.self].isStageActive ?? false },
                http: {
                    later.control.map { control in
                        let endpoint = control.features[Endpoint.self]
                        return Overview.HTTP(
                            port: endpoint.plainPort, securePort: endpoint.securePort,
                            fingerprint: endpoint.fingerprint)
                    } ?? Overview.HTTP()
                }))
        context.provide(
            Endpoint.Sources(
                directory: options.stateDirectory, boxID: identity.id, isClockSet: options.clock.isSynchronised))
        context.provide(state)
        context.provide(Service.Ending { later.control?.onShutdown() })
        context.provide(Service.Suspension(total: options.clock.suspended) { later.control?.resumed() })
        context.provide(
            DataChannels.Commands(
                catalogue: catalogue,
                dispatch: { request, answer in
                    guard let control = later.control else { return }
                    Dispatcher(handler: control).dispatch(request, answer: answer)
                },
                takeSigned: { envelope, channel in
                    later.control?.features[GroupCommands.self].take(envelope, from: channel)?.description
                }, followed: { later.control?.onMessage($0) }))
        provideMedia(to: &context, later)
        context.provide(diagnosis(settings, options, later))
        return context
    }

    private static func diagnosis(
        _ settings: Settings, _ options: BoxOptions, _ later: LateControlPlane
    ) -> Diagnosis.Sources {
        let directories = [
            options.stateDirectory, DurableFile.parent(of: options.socket ?? settings.controlSocket),
        ]
        var sources = Diagnosis.Sources(directories: directories) { [inspection = options.inspection] in
            inspection.evidence(storing: directories)
        }
        sources.links = { later.control?.features[WiFi.self].links ?? [] }
        sources.isListening = { later.control?.features[Channels.self].isListening ?? false }
        sources.joinFailures = { later.control?.features[Channels.self].joinProblems ?? [] }
        sources.silentGateway = { later.control?.features[NetworkSetup.self].silentGateway }
        sources.reception = { later.control?.media.reception(of: $0) }
        sources.conflict = { later.control?.media.conflict(of: $0) }
        sources.playback = { later.control?.media.playback(of: $0) }
        sources.region = { later.control?.media.regionCounters($0) ?? RegionCounters(name: $0) }
        sources.screen = { later.control?.media.screen }
        sources.mixer = { later.control?.media.mixerCounters ?? MixerCounters() }
        sources.soundProblem = { later.control?.features[Audio.self].outputProblem }
        return sources
    }

    /// The rings of the flight recorder lie beside the control socket: on a tmpfs, which a restart of the service leaves.
    private static func provideRecorder(
        to context: inout FeatureContext, _ options: BoxOptions, _ later: LateControlPlane
    ) {
        let socket = options.socket ?? context.provided(Settings.self).controlSocket
        // Without a random number a process that was killed could have had the same directory; its rings are lost then.
        let rings = RingDirectory(socket + ".recorder", nonce: (try? SystemRandom.integer()) ?? 0)
        context.provide(FlowRecordings(rings))
        context.provide(
            Recorder.Sources(
                files: IncidentDirectory(options.stateDirectory + "/incidents"), rings: rings,
                box: context.provided(BoxIdentity.self).id,
                events: { later.control?.eventLog.events(after: $0, atMost: $1) ?? (0, []) },
                pictures: { period, deliver in
                    guard let stream = later.control?.media.pictures else { return nil }
                    let viewer = stream.addRecorder(period: period, deliver)
                    return { stream.removeViewer(viewer) }
                }))
    }

    /// What is signed, and gives its sender rights thereby.
    private static func provideSignedThings(
        to context: inout FeatureContext, _ options: BoxOptions, _ later: LateControlPlane
    ) {
        let clock = {
            OrderClock(now: SystemClock.wall(), isSet: options.clock.isSynchronised(), built: ProgramFile.built)
        }
        context.provide(KeyRing())
        context.provide(BoxCredential())
        context.provide(Push.Sources(directory: options.stateDirectory, clock: clock))
        context.provide(
            GroupCommands.Sources(
                directory: options.stateDirectory, clock: clock, catalogue: catalogue,
                dispatch: { request, answer in
                    guard let control = later.control else { return }
                    Dispatcher(handler: control).dispatch(request, answer: answer)
                }))
    }

    /// What features need of the media plane and of one another.
    private static func provideMedia(to context: inout FeatureContext, _ later: LateControlPlane) {
        let sounds = context.provided(RegionSounds.self)
        context.provide(
            Audio.Output(
                setMix: { later.control?.media.setMix($0) }, setSound: { later.control?.media.setSound($0, of: $1) }))
        context.provide(
            TestSignals.Sources(
                size: { later.control?.media.stageSize ?? PixelSize(width: 0, height: 0) },
                screen: { later.control?.media.screen }, refresh: { later.control?.media.refreshMicroHertz ?? 0 },
                setTone: { later.control?.media.setTone($0) },
                sound: { later.control?.media.mixerCounters ?? MixerCounters() },
                soundProblem: { later.control?.features[Audio.self].outputProblem }))
        let (lineUp, health) = (context.provided(LineUpView.self), context.provided(HealthView.self))
        let regions = context.provided(RegionDirectory.self)
        var working = Configuration.Sources(
            hasNetwork: {
                health.snapshot.uplinks.contains { $0.isUp && HostAddress.first(of: $0.name) != nil }
            }, announcements: { lineUp.current.counters.announcementsReceived },
            hasPicture: { regions.main.player.current.map { $0.showsPicture } ?? false },
            reachesGateway: { later.control?.features[NetworkSetup.self].reachesGateway ?? false },
            restart: { later.control?.onShutdown() })
        working.serverAnswers = { later.control?.features[Push.self].serverAnswers }
        working.lastCaller = { later.web?.lastCaller }
        context.provide(working)
        context.provide(
            Health.Sources(
                isListening: { later.control?.features[Channels.self].isListening ?? false },
                reception: { later.control?.media.reception(of: $0) },
                playback: { later.control?.media.playback(of: $0) }))
        context.provide(
            Layouts.Output(
                size: { later.control?.media.stageSize ?? PixelSize(width: 1_920, height: 1_080) },
                setLayout: { later.control?.media.setLayout($0, $1) }, show: { later.control?.media.show($0, in: $1) },
                takeScreenshot: { later.control?.media.takeScreenshot(ticket: $0, $1) }))
        context.provide(
            Channels.Media(
                received: {
                    let used = later.control.map { $0.media.played + $0.dataChannels.memberships } ?? []
                    return Dictionary(
                        used.compactMap { channel, membership in
                            membership.heardAt.map { (channel.id, $0) }
                        }, uniquingKeysWith: max)
                }, foundRepair: { later.control?.media.foundRepair(of: $0) }))
        context.provide(
            Links.Followers(
                memberships: {
                    later.control.map { $0.media.memberships + $0.dataChannels.memberships } ?? []
                }, changed: { later.control?.features[Channels.self].follow($0) }))
        context.provide(
            NetworkTrace.Sources(channels: {
                let joined = later.control.map { $0.media.memberships + $0.dataChannels.memberships } ?? []
                let groups = joined.flatMap { channel, membership in membership.groups.map { ($0, channel.name) } }
                return Dictionary(groups) { first, _ in first }
            }))
        context.provide(
            Monitoring.Media(
                playback: { later.control?.media.playback(of: $0) },
                region: { later.control?.media.regionCounters($0) ?? RegionCounters(name: $0) },
                quality: { later.control?.media.quality(of: $0) },
                presentations: { later.control?.media.presentations.entries(from: $0, atMost: $1) ?? ([], $0) }))
        context.provide(
            WiFi.Sources(
                sessions: {
                    regions.all.compactMap(\.player.current).compactMap { session in
                        later.control?.media.reception(of: session.id).map { SessionCounters(session.id, $0) }
                    }
                },
                scan: { interface, answer in
                    later.control?.features[NetworkSetup.self].scan(interface, answer)
                }))
        context.provide(
            OnScreenDisplay.Shown(
                box: context.provided(BoxIdentity.self).id,
                volume: { VolumeBar(level: sounds.mix.level, isMuted: sounds.mix.isMuted) }))
        context.provide(ScreenTextWriter { later.control?.media.write($0) ?? false })
        context.provide(
            Tuning.Sources(transportAsked: { later.control?.media.write(.transportAsked) }))
    }
}

extension SessionCounters {
    fileprivate init(_ session: Int, _ reception: ReceptionCounters) {
        self.init(
            session: Int64(session), packets: reception.datagrams - reception.repairDatagrams,
            lost: reception.lostPackets,
            windows: reception.protectionWindows, failedWindows: reception.windowsFailed)
    }
}
