// SPDX-License-Identifier: Apache-2.0
import Channels
import Commands
import Configuration
import DataChannels
import Decoders
import Guide
import Health
import Hosting
import Links
import Logging
import Monitoring
import OnScreenDisplay
import Overview
import Service
import Settings

extension Box {
    /// The commands, settings and events of a box.
    public static let catalogue: Catalogue = {
        Catalogue(commands, settings: Settings.fields, events: FeatureDeclarations(features).events)
    }()

    /// In the order of the help.
    private static var commands: [CommandDescription] {
        typealias Tables = CommandDescription
        func commands(of features: any Feature.Type...) -> [CommandDescription] {
            FeatureDeclarations(features).commands
        }
        return commands(of: Overview.self, Channels.self) + Tables.watching
            + commands(of: Health.self, Guide.self, DataChannels.self) + Tables.playback
            + commands(of: OnScreenDisplay.self) + Tables.stage + Tables.strategies + commands(of: Monitoring.self)
            + Tables.service + commands(of: Configuration.self, Service.self, Logging.self, Decoders.self)
    }

    /// The features of a box, in the order of their creation.
    static var features: [any Feature.Type] {
        [
            Logging.self, Configuration.self, Decoders.self, Links.self, Channels.self, Health.self, Guide.self,
            DataChannels.self, OnScreenDisplay.self, Monitoring.self, Overview.self, Service.self,
        ]
    }

    /// The sections of the settings, those of features included.
    static var sections: [SectionDescription] {
        Settings.fields.map { SectionDescription($0) } + FeatureDeclarations(features).sections
    }
}
