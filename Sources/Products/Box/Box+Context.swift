// SPDX-License-Identifier: Apache-2.0
import Audio
import Channels
import Configuration
import Control
import DataChannels
import Decoders
import Endpoint
import Health
import Hosting
import Journal
import Layouts
import LineUp
import Links
import Mixing
import Monitoring
import OnScreenDisplay
import Overview
import Playback
import Presentation
import Provisioning
import Push
import Reporting
import Scene
import Service
import Settings
import Statistics
import System
import Tuning

extension Box {
    /// Leads from the features to the control plane, which is created after them.
    final class LateControlPlane {
        weak var control: ControlPlane?
        weak var web: WebEndpoint?
    }

    /// Everything that the features of a box ask for.
    static func context(
        _ start: SettingsStart, _ options: BoxOptions, _ identity: BoxIdentity, _ loop: EventLoop, _ journal: Journal,
        _ later: LateControlPlane
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
        context.provide(
            RegionDirectory(PlaybackPolicy(settings), sessionLimit: settings.playback.sessionLimit))
        let mix = RegionSound(level: settings.sound.volume, isMuted: settings.sound.isMuted)
        let sounds = RegionSounds(mix: mix, main: RegionPlayer.main)
        context.provide(sounds)
        context.provide(identity)
        context.provide(LocalZone(settings.screenText.timeZone))
        context.provide(DisplayedClock(isSynchronised: options.isClockSynchronised))
        context.provide(TimelineView())
        context.provide(
            Push.Sources(
                directory: options.stateDirectory,
                clock: {
                    OrderClock(
                        now: SystemClock.wall(), isSet: options.isClockSynchronised(), built: ProgramFile.built)
                }))
        var decoders = Decoders.Sources(boards: options.boards, machine: options.machine, look: options.decoders)
        decoders.opener = options.decoderOpener
        context.provide(decoders)
        context.provide(options.devices)
        context.provide(
            Overview.Sources(
                boxID: identity.id, volume: { (sounds.mix.level, sounds.mix.isMuted) },
                layout: { later.control?.features[Layouts.self].shownName ?? "" },
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
                directory: options.stateDirectory, boxID: identity.id, isClockSet: options.isClockSynchronised))
        context.provide(Service.Ending { later.control?.onShutdown() })
        context.provide(
            DataChannels.Commands(
                catalogue: catalogue,
                dispatch: { request, answer in
                    guard let control = later.control else { return }
                    let dispatcher = Dispatcher(handler: control, role: .operator, origin: .dataChannel)
                    dispatcher.dispatch(request, answer: answer)
                }, followed: { later.control?.onMessage($0) }))
        provideMedia(to: &context, later)
        return context
    }

    /// What features need of the media plane and of one another.
    private static func provideMedia(to context: inout FeatureContext, _ later: LateControlPlane) {
        let sounds = context.provided(RegionSounds.self)
        context.provide(
            Audio.Output(
                setMix: { later.control?.media.setMix($0) }, setSound: { later.control?.media.setSound($0, of: $1) }))
        let (lineUp, health) = (context.provided(LineUpView.self), context.provided(HealthView.self))
        let regions = context.provided(RegionDirectory.self)
        var configuration = Configuration.Sources(
            hasNetwork: {
                health.snapshot.uplinks.contains { $0.isUp && HostAddress.first(of: $0.name) != nil }
            }, announcements: { lineUp.current.counters.announcementsReceived },
            hasPicture: { regions.main.player.current.map { $0.showsPicture } ?? false },
            restart: { later.control?.onShutdown() })
        configuration.lastCaller = { later.web?.lastCaller }
        context.provide(configuration)
        context.provide(
            Health.Sources(
                isListening: { later.control?.features[Channels.self].isListening ?? false },
                reception: { later.control?.media.reception(of: $0) },
                playback: { later.control?.media.playback(of: $0) }))
        context.provide(
            Layouts.Output(
                size: { later.control?.media.stageSize ?? PixelSize(width: 1_920, height: 1_080) },
                setLayout: { later.control?.media.setLayout($0, $1) }, show: { later.control?.media.show($0, in: $1) },
                takeScreenshot: { later.control?.media.takeScreenshot(ticket: $0) }))
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
            Monitoring.Media(
                playback: { later.control?.media.playback(of: $0) },
                region: { later.control?.media.regionCounters($0) ?? RegionCounters(name: $0) },
                quality: { later.control?.media.quality(of: $0) },
                presentations: { later.control?.media.presentations.entries(from: $0, atMost: $1) ?? ([], $0) }))
        context.provide(
            OnScreenDisplay.Shown(volume: { VolumeBar(level: sounds.mix.level, isMuted: sounds.mix.isMuted) }))
        context.provide(ScreenTextWriter { later.control?.media.write($0) ?? false })
        context.provide(
            Tuning.Sources(transportAsked: { later.control?.media.write(.transportAsked) }))
    }
}
