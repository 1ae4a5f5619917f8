// SPDX-License-Identifier: Apache-2.0
import Media

extension ScreenDriver {
    var status: ScreenStatus {
        var status = ScreenStatus()
        status.counters = machine.counters
        (status.counters.planePictures, status.counters.planeCopies, status.counters.planeRefusals) = video.counters
        status.planeRefusal = video.refusal
        if let label, machine.isOn { (status.connector, status.mode, status.display) = label }
        if machine.isOn { status.pinPassedOver = passedOver }
        return status
    }

    func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { try canvas.readFront(body) }

    /// Of the mode that is shown.
    var mode: KMSMode? { machine.timing?.mode }
    /// Whether it can pace.
    var isOn: Bool { machine.isOn }
    /// What drives its connector.
    var crtc: UInt32? { driven?.crtc }
    /// Of that which is shown, or about to be.
    var expectedMode: KMSMode? { machine.expected?.mode }
}
