// SPDX-License-Identifier: Apache-2.0
import Access
import Audio
import Capture
import ChannelList
import Channels
import Commands
import Configuration
import DataChannels
import Decoders
import Diagnosis
import Endpoint
import GroupCommands
import Guide
import Health
import Hosting
import Identify
import Layouts
import Links
import Logging
import Monitoring
import NetworkSetup
import NetworkTrace
import OnScreenDisplay
import Overview
import Ping
import Probe
import Push
import Recorder
import Rendering
import Service
import Settings
import Sync
import SyslogForwarding
import Telemetry
import TestSignals
import Tuning
import WiFi

extension Box {
    /// The commands, settings and events of a box.
    public static let catalogue: Catalogue = {
        Catalogue(commands, settings: sections.map(\.field), events: FeatureDeclarations(features).events)
    }()

    /// The HTTP API as JSON. It is made when it is asked for first, which takes longer than the rest of a start.
    static let openAPI = OpenAPI.document(of: catalogue).octets()

    /// In the order of the help.
    private static var commands: [CommandDescription] {
        func commands(of features: any Feature.Type...) -> [CommandDescription] {
            FeatureDeclarations(features).commands
        }
        return commands(
            of: Overview.self, Diagnosis.self, Channels.self, Tuning.self, Health.self, Guide.self, DataChannels.self,
            Audio.self, OnScreenDisplay.self, ChannelList.self, Identify.self, TestSignals.self, Layouts.self,
            Sync.self,
            Monitoring.self)
            + [.events]
            + commands(of: Telemetry.self, Recorder.self)
            + commands(
                of: Configuration.self, Push.self, GroupCommands.self, Access.self, Endpoint.self, NetworkSetup.self,
                NetworkTrace.self, Ping.self, Probe.self,
                Capture.self, WiFi.self, Service.self, Logging.self, Decoders.self)
    }

    /// The features of a box, in the order in which they are made, started and asked once a second. They are stopped in
    /// the reverse order: Health before Tuning, so that the end of the service is told before its sessions are closed, and reported by Telemetry.
    static var features: [any Feature.Type] {
        [
            Logging.self, SyslogForwarding.self, Access.self, Configuration.self, Push.self, GroupCommands.self,
            Telemetry.self, Recorder.self, Endpoint.self, NetworkSetup.self, NetworkTrace.self, Ping.self,
            Probe.self, Capture.self, Decoders.self, Links.self,
            Layouts.self,
            Channels.self,
            Guide.self, DataChannels.self, Audio.self, Tuning.self, Sync.self, WiFi.self, Health.self,
            OnScreenDisplay.self, ChannelList.self,
            Identify.self, TestSignals.self,
            Monitoring.self, Overview.self, Diagnosis.self, Service.self,
        ]
    }

    /// The sections of the settings, those of features included.
    static var sections: [SectionDescription] {
        Settings.fields.map { SectionDescription($0) } + FeatureDeclarations(features).sections
    }
}
