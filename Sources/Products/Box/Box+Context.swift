// SPDX-License-Identifier: Apache-2.0
import Control
import DataChannels
import Decoders
import Health
import Hosting
import Journal
import LineUp
import Links
import Monitoring
import OnScreenDisplay
import Overview
import Playback
import Presentation
import Reporting
import Service
import Settings
import Statistics
import System

extension Box {
    /// Leads from the features to the control plane, which is created after them.
    final class LateControlPlane {
        weak var control: ControlPlane?
    }

    /// Everything that the features of a box ask for.
    static func context(
        _ start: SettingsStart, _ options: BoxOptions, boxID: String, _ loop: EventLoop, _ journal: Journal,
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
        context.provide(HealthView())
        context.provide(
            RegionDirectory(PlaybackPolicy(settings), sessionLimit: settings.playback.sessionLimit))
        context.provide(LocalZone(settings.screenText.timeZone))
        var decoders = Decoders.Sources(boards: options.boards, machine: options.machine, look: options.decoders)
        decoders.opener = options.decoderOpener
        context.provide(decoders)
        context.provide(
            Health.Sources(
                isListening: { later.control?.channelList.isListening ?? false },
                reception: { later.control?.media.reception(of: $0) }))
        context.provide(
            OnScreenDisplay.Screen(
                write: { later.control?.media.write($0) ?? false },
                volume: {
                    let volume = later.control?.volume
                    return VolumeBar(level: volume?.level ?? 0, isMuted: volume?.isMuted ?? true)
                }))
        context.provide(
            Links.Followers(
                memberships: {
                    later.control.map { $0.media.memberships + $0.dataChannels.memberships } ?? []
                }, changed: { later.control?.channelList.follow($0) }))
        context.provide(
            Monitoring.Media(
                playback: { later.control?.media.playback(of: $0) },
                region: { later.control?.media.regionCounters($0) ?? RegionCounters(name: $0) },
                quality: { later.control?.media.quality(of: $0) }))
        context.provide(
            Overview.Sources(
                boxID: boxID, volume: { later.control?.volume ?? (0, true) },
                layout: { later.control?.layout.shown.stage.name ?? "" }, httpPort: { later.control?.httpPort }))
        context.provide(Service.Ending { later.control?.onShutdown() })
        context.provide(
            DataChannels.Commands(
                catalogue: catalogue,
                dispatch: { request, answer in
                    guard let control = later.control else { return }
                    let dispatcher = Dispatcher(handler: control, role: .operator, origin: .dataChannel)
                    dispatcher.dispatch(request, answer: answer)
                }, followed: { later.control?.onMessage($0) }))
        return context
    }
}
