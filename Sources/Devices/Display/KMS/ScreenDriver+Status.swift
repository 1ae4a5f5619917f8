// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

extension ScreenDriver {
    var fault: DisplayError? { faults.reported }
    var lastVBlank: Monotonic? { flips.lastVBlank }
    var lacksVideo: Bool { video.isMissing }
    var screen: ScreenStatus? { status }

    var status: ScreenStatus {
        var status = ScreenStatus()
        status.counters = machine.counters
        (status.counters.planePictures, status.counters.planeCopies, status.counters.planeRefusals) = video.counters
        status.planeRefusal = video.refusals.reason
        // If no process is the master, this one becomes it, as it does by a commit.
        status.isMaster = commits.device?.becomeMaster() ?? false
        guard machine.isOn, let label else { return status }
        (status.connector, status.mode, status.display) = (label.connector, label.mode, label.display)
        status.pinPassedOver = label.pinPassedOver
        return status
    }

    /// The mode that the screen shows; nil while it shows nothing.
    var mode: KMSMode? { machine.timing?.mode }
    /// The mode that the screen shows or is about to show.
    var expectedMode: KMSMode? { machine.expected?.mode }
    /// Whether the stage is on the screen.
    var isOn: Bool { machine.isOn }

    /// Whether it has nothing of the card that another screen could need or that has to be switched off.
    var isReleased: Bool { machine.state == .dark && !isLeaving && commits.driven == nil }
    /// The CRTC that drives its connector.
    var crtc: UInt32? { commits.driven?.crtc }
}
