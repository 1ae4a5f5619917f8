// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Time

/// The section `confirmation` of the settings.
struct ConfirmationSettings: SettingsSection {
    static let name = "confirmation"
    static let help = """
        How a change of settings that interrupts the picture, or needs a restart, proves itself. What worked before it has \
        to work with it, or the change is taken back.
        """

    var withinS = 60
    var steadyS = 5

    static let shape = Shape<Self>([
        .setting(
            "withinS", \.withinS, .integer(10...3_600), .atOnce,
            "Seconds in which a change has to prove itself, unless the change says otherwise."),
        .setting(
            "steadyS", \.steadyS, .integer(1...600), .atOnce,
            "Seconds for which everything has to work without a break, from then on the change is confirmed."),
    ])

    var times: ConfirmationWatch.Times {
        ConfirmationWatch.Times(within: .seconds(Int64(withinS)), steady: .seconds(Int64(steadyS)))
    }
}
